"""The package as somebody gets it who has nothing else: built, installed into an empty environment, and used.

What this leaves out: a Ray cluster and a training run are not started here (tests/test_ray.py and
tests/test_examples_learning.py do that in the development environment); their packages are installed and imported.
Extras are installed with the Python that runs the tests; other Pythons get the package alone.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import tarfile
import zipfile
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import httpx
import pexpect
import pytest

from bullpen import __version__
from tests.installing import ROOT, Built, Installed, built, installed, outside, pythons, uv
from tests.patience import PATIENCE, until

FIRST_MOVES = "1\n" * 4  # then nobody types any more: the game is kept


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Built:
    here = tmp_path_factory.getbasetemp()
    is_worker = here.name.startswith("popen-")
    return built((here.parent if is_worker else here) / "package")


# -- What is in it ------------------------------------------------------------------------------


def metadata(package: Built) -> str:
    with zipfile.ZipFile(package.wheel) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        return wheel.read(name).decode()


def test_there_is_one_version(package: Built) -> None:
    assert f"\nVersion: {__version__}\n" in metadata(package)
    assert package.wheel.name.startswith(f"bullpen_games-{__version__}-")
    assert "0.1.0" not in (ROOT / "pyproject.toml").read_text("utf-8")


def test_an_index_page_has_no_link_and_no_picture_that_leads_nowhere(package: Built) -> None:
    page = metadata(package).partition("\n\n")[2]
    targets = re.findall(r"\]\(([^)]+)\)|src=\"([^\"]+)\"", page)
    assert [target for target in targets if not "".join(target).startswith("http")] == []
    assert "```python\n>>> import bullpen" in page


def hook() -> Any:
    spec = spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_once_the_sources_have_a_home_links_and_pictures_lead_there() -> None:
    home, readme = "https://code.example/bullpen", (ROOT / "README.md").read_text("utf-8")
    page = hook().index_page(readme, home)
    assert f"]({home}/raw/main/docs/shots/six-nimmt.webp)" in page
    assert f'<img src="{home}/raw/main/docs/shots/hornochsen.webp"' in page
    assert f"[the library]({home}/blob/main/docs/library.md)" in page
    targets = re.findall(r"\]\(([^)]+)\)", page)
    assert all(target.startswith("http") for target in targets)
    assert hook().addresses(home)["Issues"] == f"{home}/issues"
    assert hook().addresses("") == {}


@pytest.mark.skipif(find_spec("twine") is None, reason="`make install` brings twine")
def test_an_index_would_take_both_files(package: Built) -> None:
    words = [
        sys.executable,
        "-m",
        "twine",
        "check",
        "--strict",
        str(package.wheel),
        str(package.sdist),
    ]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_source_archive_builds_the_same_wheel_without_node(
    package: Built, tmp_path: Path
) -> None:
    with tarfile.open(package.sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    words = [
        sys.executable,
        "-m",
        "hatchling",
        "build",
        "--target",
        "wheel",
        "--directory",
        str(tmp_path),
    ]
    # With a PATH that leads nowhere there is no Node: the pages in the archive must do.
    ran = subprocess.run(
        words, cwd=folder, env={"PATH": "/nowhere"}, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    (again,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(package.wheel) as one, zipfile.ZipFile(again) as other:
        assert sorted(one.namelist()) == sorted(other.namelist())


def test_no_sentence_speaks_of_make_to_somebody_who_has_no_makefile() -> None:
    locale = sorted((ROOT / "src" / "bullpen" / "locale").glob("*.toml"))
    browser = sorted((ROOT / "web" / "src" / "i18n").glob("*/*.ts"))
    for path in (*locale, *browser):
        sentences = path.read_text("utf-8").splitlines()
        spoken = [
            line
            for line in sentences
            if re.search("[`„“]make ", line) and not line.startswith("no_client")
        ]
        assert spoken == [], path.name
        assert not [line for line in sentences if re.search(r"bullpen\[", line)], path.name


# -- Nothing but the package --------------------------------------------------------------------


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("version", pythons())
def test_the_package_alone_plays_serves_simulates_and_advises(
    package: Built, tmp_path: Path, version: str
) -> None:
    with installed(tmp_path, package.wheel, python=pythons()[version]) as here:
        assert here.bullpen("--version") == f"bullpen {__version__}\n"
        plays(here)
        advises(here)
        simulates(here)
        serves(here)
        if version == next(iter(pythons())):
            says_what_is_missing(here)
            hands_out_examples(here)


def plays(here: Installed) -> None:
    """Against `expert`, with less time than it usually has."""
    words = ["--players", "2", "--bots", "2", "--seed", "1", "--option", "rounds=1"]
    said = here.bullpen("play", "x-nimmt", *words, "--bot", "expert:ms=5", "--save", "over.json")
    assert "Compiling" in said
    assert "finished" in here.bullpen("verify", "over.json")


def advises(here: Installed) -> None:
    words = ["--players", "2", "--bots", "1", "--bot", "hard:playouts=20", "--seed", "1"]
    ran = here.run("bullpen", "play", "x-nimmt", *words, "--save", "left.json", typed=FIRST_MOVES)
    assert "Traceback" not in ran.stderr
    hint = json.loads(
        here.bullpen("hint", "left.json", "--seat", "0", "--playouts", "100", "--json")
    )
    assert hint["best"]


def simulates(here: Installed) -> None:
    words = ["--players", "2", "--games", "200", "--json"]
    assert json.loads(here.bullpen("simulate", "x-nimmt", *words))["games"] == 200


def serves(here: Installed) -> None:
    words = [str(here.bin / "bullpen"), "serve", "--port", "0", "--db", "tables.db", "--warm", "no"]
    with subprocess.Popen(
        words, cwd=here.work, env=here.environment, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stderr is not None
            told = ""
            while not (address := re.search(r"http://127\.0\.0\.1:\d+", told)):
                line = server.stderr.readline()
                assert line, told
                told += line
            ask_for_a_table(address[0])
        finally:
            server.send_signal(signal.SIGTERM)
            server.communicate()  # its last words, which a closed pipe would refuse
    assert server.returncode == 0
    assert (here.work / "tables.db").is_file()


def ask_for_a_table(address: str) -> None:
    """The pages, all levels, and a seat opposite `expert`."""
    assert '<script type="module"' in httpx.get(address).text
    levels = [one["level"] for one in httpx.get(f"{address}/api/games").json()["levels"]]
    assert levels == ["easy", "medium", "hard", "expert"]
    seats = [{"kind": "person"}, {"kind": "bot", "level": "expert"}]
    wish = {"game": "x-nimmt", "name": "Ola", "seats": seats, "coach": True}
    made = httpx.post(f"{address}/api/tables", json=wish)
    assert made.status_code == 201, made.text


def says_what_is_missing(here: Installed) -> None:
    """By the name of the extra, in a line."""
    plot = here.refused("simulate", "x-nimmt", "--games", "10", "--plot", "x.svg")
    ray = here.refused("tournament", "x-nimmt", "--table", "careful,uniform", "--ray")
    store = here.refused("inspect", "--db", "postgresql://nobody@127.0.0.1:1/none")
    serving = here.refused("serve", "--port", "0", "--db", "postgresql://nobody@127.0.0.1:1/none")
    data = here.refused(
        *["dataset", "make", "x-nimmt", "--table", "careful,uniform", "--out", "data"]
    )
    for said, extra in (
        (plot, "plot"),
        (ray, "ray"),
        (store, "postgres"),
        (serving, "postgres"),
        (data, "dataset"),
    ):
        assert f"pip install 'bullpen-games[{extra}]'" in said
        assert said.count("\n") == 1, said
    for module, extra in (("gym", "envs"), ("petting", "envs"), ("spiel", "openspiel")):
        ran = here.run(str(here.bin / "python"), "-c", f"import bullpen.envs.{module}")
        assert f"pip install 'bullpen-games[{extra}]'" in ran.stderr.splitlines()[-1]


def hands_out_examples(here: Installed) -> None:
    ran = here.run(str(here.bin / "python"), "-m", "bullpen.examples")
    assert ran.returncode == 0, ran.stderr
    ours = {
        path.name
        for path in (ROOT / "examples").iterdir()
        if path.name not in ("trained", "__pycache__")
    }
    assert {path.name for path in (here.work / "examples").iterdir()} == ours
    here.bullpen(
        "tournament", "x-nimmt", "--table", "examples/mybot.py:choose,easy", "--deals", "1"
    )
    again = here.run(str(here.bin / "python"), "-m", "bullpen.examples")
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)


# -- Each extra alone ---------------------------------------------------------------------------

LEARNS = """
import gymnasium, bullpen.envs.gym, bullpen.envs.petting
environment = gymnasium.make("bullpen/XNimmt-v0", render_mode="rgb_array")
environment.reset(seed=1)
print(environment.render().shape[2])
"""
SPIEL = """
import pyspiel, bullpen.envs.spiel
print(pyspiel.load_game("bullpen_x_nimmt").num_players())
"""
TRAINS = """
import sys; sys.path.insert(0, "examples")
import matplotlib, train_dqn
from open_spiel.python.jax import dqn
print(dqn.DQN.__name__)
"""


def extra_dataset(here: Installed) -> None:
    words = "--table careful,uniform --option rounds=1 --deals 1 --jobs 1 --out data"
    here.bullpen("dataset", "make", "x-nimmt", *words.split())
    assert int(here.python("from bullpen.envs.dataset import load; print(len(load('data')))")) > 0


def extra_envs(here: Installed) -> None:
    assert here.python(LEARNS) == "3\n"


def extra_openspiel(here: Installed) -> None:
    assert int(here.python(SPIEL)) >= 2


def extra_plot(here: Installed) -> None:
    words = ["--players", "2", "--games", "50", "--plot", "picture.svg"]
    here.bullpen("simulate", "x-nimmt", *words)
    assert "<svg" in (here.work / "picture.svg").read_text("utf-8")


def extra_postgres(here: Installed) -> None:
    said = here.refused("inspect", "--db", "postgresql://nobody@127.0.0.1:1/none")
    assert "not installed" not in said


def extra_ray(here: Installed) -> None:
    program = (
        "import ray; from bullpen.arena.ray_workers import ray_cluster; print(ray.__version__)"
    )
    assert here.python(program)
    here.bullpen("tournament", "x-nimmt", "--table", "careful,uniform", "--deals", "1")


def extra_train(here: Installed) -> None:
    assert here.run(str(here.bin / "python"), "-m", "bullpen.examples").returncode == 0
    assert here.python(TRAINS) == "DQN\n"


EXTRAS = {
    "dataset": extra_dataset,
    "envs": extra_envs,
    "openspiel": extra_openspiel,
    "plot": extra_plot,
    "postgres": extra_postgres,
    "ray": extra_ray,
    "train": extra_train,
}


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_is_complete_in_itself(package: Built, tmp_path: Path, extra: str) -> None:
    with installed(tmp_path, package.wheel, f"[{extra}]") as here:
        EXTRAS[extra](here)


def test_every_extra_is_tried_and_all_has_all_of_them(package: Built) -> None:
    said = metadata(package)
    provided = set(re.findall(r"^Provides-Extra: (\S+)$", said, re.MULTILINE))
    assert provided == {*EXTRAS, "all"}
    needed = re.findall(r"^Requires-Dist: ([^;\s]+).*extra == '(\w+)'$", said, re.MULTILINE)
    by_extra = {extra: {name for name, one in needed if one == extra} for extra in provided}
    assert by_extra["all"] == set.union(*(by_extra[extra] for extra in EXTRAS))


# -- Without installing -------------------------------------------------------------------------


@pytest.mark.timeout(1200)
def test_uvx_opens_the_table_in_the_browser(package: Built, tmp_path: Path) -> None:
    program, asked = tmp_path / "browser", tmp_path / "asked"
    program.write_text(f'#!/bin/sh\necho "$1" > {asked}.part && mv {asked}.part {asked}\n')
    program.chmod(0o755)
    environment = {
        **outside(),
        "HOME": str(tmp_path),
        "UV_CACHE_DIR": uv_cache(),
        "DISPLAY": ":0",
        "BROWSER": str(program),
        "BULLPEN_WARM": "no",
    }
    for name in ("CI", "SSH_CONNECTION", "SSH_TTY", "XDG_DATA_HOME"):
        environment.pop(name, None)
    constraints = ["--constraints", str(ROOT / "requirements-dev.lock")]
    words = ["tool", "run", *constraints, "--from", str(package.wheel), "bullpen"]
    table = pexpect.spawn(uv(), words, env=environment, encoding="utf-8", timeout=PATIENCE)
    try:
        until(asked.is_file, lambda: table.before)
        assert '<script type="module"' in httpx.get(asked.read_text().strip()).text
        table.sendintr()
        table.expect(pexpect.EOF)
    finally:
        table.close(force=True)
    assert "Traceback" not in str(table.before)
    assert (tmp_path / ".local" / "share" / "bullpen" / "tables.db").is_file()


def uv_cache() -> str:
    ran = subprocess.run(
        [uv(), "cache", "dir"], env=outside(), capture_output=True, text=True, check=True
    )
    return ran.stdout.strip()
