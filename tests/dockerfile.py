"""A Dockerfile, read and carried out without a container engine.

Its base image is this machine, of which every stage sees a copy that it may write to: an overlay, in a mount
namespace of its own.  So the instructions are tried as they stand, and nothing on the machine changes.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent
MEMORY = Path("/dev/shm")  # layers lie here: they must not be on the file system that they cover
PATHS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"  # as images have it

# Whatever follows is run in the layer; what a container engine would hand in is there too.
ENTER = """
set -eu
mount -t overlay overlay -o "lowerdir=/,upperdir=$LAYER/upper,workdir=$LAYER/work" "$LAYER/root"
mount --rbind /dev "$LAYER/root/dev"
mount -t proc proc "$LAYER/root/proc" 2>/dev/null || mount --rbind /proc "$LAYER/root/proc"
for file in /etc/resolv.conf /etc/hosts; do mount --bind "$file" "$LAYER/root$file"; done
mount -t tmpfs -o mode=1777 tmpfs "$LAYER/root/tmp"
"""


@dataclass
class Instruction:
    name: str
    words: str

    @property
    def parts(self) -> list[str]:
        """Of its two forms: `["a", "b"]` or `a b`."""
        if self.words.startswith("["):
            found: list[str] = json.loads(self.words)
            return found
        return shlex.split(self.words)


@dataclass
class Stage:
    base: str
    name: str
    instructions: list[Instruction] = field(default_factory=list)

    def all(self, name: str) -> list[Instruction]:
        return [one for one in self.instructions if one.name == name]

    def last(self, name: str) -> Instruction:
        return self.all(name)[-1]

    @property
    def environment(self) -> dict[str, str]:
        words = [word for one in self.all("ENV") for word in one.parts]
        return dict(word.split("=", 1) for word in words)


def stages(text: str) -> list[Stage]:
    lines = re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ").splitlines()
    found: list[Stage] = []
    for line in filter(str.strip, lines):
        name, words = line.split(maxsplit=1)
        if name == "FROM":
            base, _, stage = words.partition(" AS ")
            found.append(Stage(base, stage))
        else:
            found[-1].instructions.append(Instruction(name, re.sub(r"\s+", " ", words).strip()))
    return found


def copied_here(stage: Stage) -> list[str]:
    """What a stage takes from the folder where it is built."""
    copies = [one.parts for one in stage.all("COPY") if not one.words.startswith("--from")]
    return [source for words in copies for source in words[:-1]]


# -- Carrying it out ----------------------------------------------------------------------------


def why_not() -> str | None:
    """Why it cannot be carried out on this machine."""
    if os.getuid() != 0:
        return "root alone may mount"
    if not MEMORY.is_dir():
        return f"{MEMORY} is missing"
    if not Path("/usr/bin/python3").exists():
        return "Debian's python3 is missing"
    enter = ["unshare", "--mount", "--propagation", "private", "true"]
    done = subprocess.run(enter, capture_output=True, text=True, check=False)
    return f"no mount namespace: {done.stderr.strip()}" if done.returncode else None


class Layer:
    """What a stage has written over this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.upper = folder, folder / "upper"
        for name in ("upper", "work", "root"):
            (folder / name).mkdir(parents=True)
        self.put(Path("usr/local/bin")).mkdir(parents=True)
        self.put(Path("usr/local/bin/python")).symlink_to("/usr/bin/python3")

    def put(self, path: Path) -> Path:
        return self.upper / path.as_posix().lstrip("/")

    def command(self, script: str) -> list[str]:
        return ["unshare", "--mount", "--propagation", "private", "sh", "-c", ENTER + script]

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, "PATH": PATHS, "LAYER": str(self.folder)}

    def run(self, script: str, where: str) -> None:
        inside = f'exec chroot "$LAYER/root" sh -c {shlex.quote(f"cd {where} && {script}")}'
        done = subprocess.run(
            self.command(inside), env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{script}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"

    def served(self, stage: Stage, **settings: str) -> tuple[list[str], dict[str, str]]:
        """The command of the finished image and its environment: an unprivileged user, all but the volumes read-only."""
        keep = " ".join(stage.last("VOLUME").parts)
        environment = {**stage.environment, **settings}
        environment["PATH"] = environment["PATH"].replace("$PATH", PATHS)
        told = " ".join(shlex.quote(f"{name}={value}") for name, value in environment.items())
        script = f"""
for volume in {keep}; do mkdir -p "$LAYER/volumes$volume"; done
for volume in {keep}; do chown --reference="$LAYER/root$volume" "$LAYER/volumes$volume"; done
for volume in {keep}; do mount --bind "$LAYER/volumes$volume" "$LAYER/root$volume"; done
mount -o remount,ro "$LAYER/root"
user=$(chroot "$LAYER/root" id -u {stage.last("USER").words})
exec chroot "$LAYER/root" env -i -C {stage.last("WORKDIR").words} {told} setpriv --reuid="$user" --regid="$user" \
    --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all {shlex.join(stage.last("CMD").parts)}
"""
        return self.command(script), self.environment


def built(found: list[Stage], folder: Path) -> Layer:
    """The layer of the last stage."""
    layers: dict[str, Layer] = {}
    for stage in found:
        layer = layers[stage.name] = Layer(folder / (stage.name or "last"))
        where = "/"
        for one in stage.instructions:
            if one.name == "WORKDIR":
                where = one.words
                layer.put(Path(where)).mkdir(parents=True, exist_ok=True)
            elif one.name == "RUN":
                layer.run(one.words, where)
            elif one.name == "COPY":
                copy(one.parts, layers, layer, where)
    return layers[found[-1].name]


def copy(words: list[str], layers: dict[str, Layer], layer: Layer, where: str) -> None:
    *options, target = words
    source_root = ROOT
    if options[0].startswith("--from="):
        source_root = layers[options.pop(0).removeprefix("--from=")].upper
    for source in options:
        start = source_root / source.lstrip("/")
        end = layer.put(Path(where) / target)
        if target.endswith("/"):
            end = end / start.name
        if start.is_dir():
            left_out = shutil.ignore_patterns("node_modules", "__pycache__", "*.db")
            shutil.copytree(start, end, symlinks=True, dirs_exist_ok=True, ignore=left_out)
        else:
            end.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(start, end)
