"""The documentation says what the code says: pages complete, links sound, examples run."""

import dataclasses
import doctest
import json
import re
import tomllib
from importlib import import_module
from inspect import signature
from pathlib import Path
from random import Random
from typing import Any

import pytest

import bullpen
from bullpen.deck import weakest_basis
from bullpen.game import Game, OneOf, OptionValue, Rules
from bullpen.games import GAMES
from bullpen.languages import LANGUAGES
from bullpen.record import KEYS
from bullpen.server.metrics import Metrics
from bullpen.server.settings import Settings
from bullpen.text import voice

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *DOCS.rglob("*.md"),
        *(ROOT / "benchmarks").glob("*.md"),
        *(ROOT / "examples").rglob("*.md"),
    ]
)
SOURCES = "\n".join(file.read_text("utf-8") for file in (ROOT / "src").rglob("*.py"))

HEADINGS = [
    "What it is",
    "Players and length",
    "Rules by id",
    "Cards and how sure they are",
    "Options",
    "Actions",
    "Notation",
    "View",
    "Events",
    "Places",
    "Example",
]

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def text_of(game: Game[Any]) -> str:
    return (DOCS / "games" / f"{game.ID}.md").read_text("utf-8")


def section(game: Game[Any], heading: str) -> str:
    """What stands under a heading of a game's page, on one line."""
    parts = re.split(r"^## (.+)$", text_of(game), flags=re.MULTILINE)
    return " ".join(dict(zip(parts[1::2], parts[2::2], strict=True))[heading].split())


def table_rows(text: str) -> list[list[str]]:
    """The rows of all tables in a text, without their heads."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    rules = [at for at, cells in enumerate(rows) if set(cells[0] + cells[-1]) <= set("-")]
    heads = {at - 1 for at in rules if at} | set(rules)
    return [cells for at, cells in enumerate(rows) if at not in heads]


def as_typed(value: OptionValue) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def quoted(text: str) -> set[str]:
    """All that stands in backticks."""
    return set(re.findall(r"`([^`\n]+)`", text))


# -- A page for each game -----------------------------------------------------------------------


@every_game
def test_the_page_of_a_game_has_all_headings_in_order(game: Game[Any]) -> None:
    found = re.findall(r"^(##?) (.+)$", text_of(game), re.MULTILINE)
    assert found == [("#", game.TITLE), *(("##", heading) for heading in HEADINGS)]


@every_game
def test_the_page_of_a_game_says_how_many_can_play(game: Game[Any]) -> None:
    players = f"{game.SEATS[0]} to {game.SEATS[-1]}"
    assert f"{players} players" in section(game, "Players and length")
    index = table_rows((DOCS / "README.md").read_text("utf-8"))
    assert [game.TITLE, players] in [row[:2] for row in index]


@every_game
def test_the_page_of_a_game_tells_every_rule_that_players_read(game: Game[Any]) -> None:
    told = re.findall(r"\*\*([A-Z]{2}-\d+)\*\*", section(game, "Rules by id"))
    assert told == list(voice("en").sentences["rules"][game.ID]["text"])


@every_game
def test_the_page_of_a_game_describes_its_deck_files(game: Game[Any]) -> None:
    cards = section(game, "Cards and how sure they are")
    assert f"**{weakest_basis(game.DECK_FILES)}**" in cards
    for form in game.DECK_FILES:
        assert f"games/{form.path.parent.name}/{form.path.name}" in cards
        assert ",".join(form.columns) in quoted(cards)
        assert form.allowed_text in cards
        assert f"1 to {form.cards} once" in cards
        assert form.rule in cards


@every_game
def test_the_page_of_a_game_lists_every_option_with_its_default(game: Game[Any]) -> None:
    text = text_of(game)
    listed = {next(iter(quoted(row[0])), ""): row for row in table_rows(text) if row}
    for option in game.OPTIONS:
        _, values, default, *_ = listed[option.name]
        if isinstance(option.kind, OneOf):
            assert quoted(values) == set(option.kind.values)
        by_seats = {option.default(seats) for seats in game.SEATS}
        if len(by_seats) == 1:
            assert default.strip("`") == as_typed(*by_seats)
        else:
            assert by_seats == set(game.SEATS)
            assert default == "the number of players"


@every_game
def test_the_page_of_a_game_gives_the_numbers_of_its_actions(game: Game[Any]) -> None:
    blocks: list[tuple[range, str]] = []
    for row in table_rows(text_of(game)):
        if numbers := re.fullmatch(r"(\d+)(?: to (\d+))?", row[1]):
            first, last = int(numbers[1]), int(numbers[2] or numbers[1])
            assert {first, last} <= set(game.NOTATION)
            blocks.append((range(first, last + 1), row[2].strip("`")))
    for action in game.NOTATION:
        assert sum(action in block for block, _ in blocks) == 1, action
    by_text = {text: action for action, text in game.NOTATION.items()}
    for block, example in blocks:
        assert by_text[example] in block


@every_game
def test_the_page_of_a_game_shows_every_form_of_a_move(game: Game[Any]) -> None:
    for heading in ("Actions", "Notation"):
        assert set(game.FORMS) <= quoted(section(game, heading))


@every_game
def test_the_page_of_a_game_lists_every_event_with_its_fields(game: Game[Any]) -> None:
    events = re.split(r"^## (?:Events|Places)$", text_of(game), flags=re.MULTILINE)[1]
    listed = {row[0].strip("`"): row[1] for row in table_rows(events)}
    assert list(listed) == list(game.EVENTS)
    for event, fields in game.EVENTS.items():
        assert listed[event] == (", ".join(f"`{field}`" for field in fields) or "none")


@every_game
def test_the_page_of_a_game_names_every_place(game: Game[Any]) -> None:
    told = {re.sub(r"\d+", "N", name) for name in quoted(section(game, "Places"))}
    match, rng, names = bullpen.new(game.ID, game.SEATS[0], seed=1), Random(1), set()
    while not match.is_over:
        names |= {re.sub(r"\d+", "N", name) for name in game.places(match.table)}
        for seat in match.waiting_for:
            match.move(seat, rng.choice(match.legal(seat)))
    assert told == names


# -- Records and words ----------------------------------------------------------------------------


def test_the_example_of_a_record_replays() -> None:
    page = (DOCS / "records.md").read_text("utf-8")
    (example,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    match = bullpen.replay(example)
    assert match.is_over
    listed = [row[0].strip("`") for row in table_rows(page)]
    assert set(listed) >= KEYS


def test_the_words_of_the_glossary_are_words_of_the_code() -> None:
    for row in table_rows((DOCS / "glossary.md").read_text("utf-8")):
        assert len(row) == 4
        assert all(row), row
        for word in quoted(row[3]):
            assert re.search(rf"(?<!\w){re.escape(word)}(?!\w)", SOURCES), word


def test_the_layers_stand_in_the_order_of_the_contract() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contract = project["tool"]["importlinter"]["contracts"][0]["layers"]
    order = [re.findall(r"\w+", layer) for layer in reversed(contract)]
    page = (DOCS / "architecture.md").read_text("utf-8")
    told = [
        re.findall(r"\w+", names) for names in re.findall(r"^\| (`\w+`.*?) \| ", page, re.MULTILINE)
    ]
    places = [
        next(at for at, names in enumerate(order) if set(layer) <= set(names)) for layer in told
    ]
    assert places == sorted(places)
    assert order[0] == told[0]
    assert order[-1] == told[-1]


def test_the_whole_contract_of_a_game_is_told() -> None:
    page = (DOCS / "adding-a-game.md").read_text("utf-8")
    told = {re.sub(r"\(.*", "", name) for row in table_rows(page) for name in quoted(row[0])}
    assert told >= {name for name in vars(Rules) if not name.startswith("_")}


def test_the_files_of_a_first_class_game_are_those_of_the_six() -> None:
    """At most fourteen; no other file names a game (tests/test_one_room.py)."""
    page = (DOCS / "adding-a-game.md").read_text("utf-8").split("## A first-class game")[1]
    told = [row[0].strip("`") for row in table_rows(page)]
    listed = [
        file.replace("<language>", language)
        for file in told
        for language in (LANGUAGES if "<language>" in file else LANGUAGES[:1])
    ]
    assert len(listed) <= 14
    roots = {"games": ROOT / "src" / "bullpen", "web": ROOT, "docs": ROOT, "tests": ROOT}
    for game in GAMES:
        names = {
            "<name>": game.replace("-", "_"),
            "<id>": game,
        }
        files = set()
        for file in listed:
            for word, name in names.items():
                file = file.replace(word, name)
            for language in LANGUAGES:
                files.add(roots[file.split("/")[0]] / file.replace("<language>", language))
        if (
            game == "bullenparty"
        ):  # whose bull cards have a file of their own, and whose piles are arranged
            folder = ROOT / "src/bullpen/games/bullenparty"
            files = files - {folder / "deck.csv"} | {folder / name for name in OF_BULLENPARTY}
        if game == "six-nimmt":  # whose last turns can be solved
            files.add(ROOT / "src/bullpen/games/six_nimmt/endgame.py")
        if game == "baron-oxx":  # whose habit asks nets, and where the others are read
            files |= {ROOT / "src/bullpen/games/baron_oxx" / name for name in OF_BARON_OXX}
        assert all(file.is_file() for file in files), files
        folder = ROOT / "src/bullpen/games" / names["<name>"]
        assert set(folder.glob("*.*")) <= files | {folder / name for name in WRITTEN_BY_COMMANDS}


WRITTEN_BY_COMMANDS = ("puzzles.jsonl", "habit.json")
OF_BARON_OXX = ("facts.py", "reading.py")
OF_BULLENPARTY = ("numbers.csv", "bulls.csv", "arranging.py")


def test_every_decision_has_the_same_parts_and_stands_in_the_index() -> None:
    index = (DOCS / "README.md").read_text("utf-8")
    for number, page in enumerate(sorted((DOCS / "decisions").glob("*.md")), start=1):
        text = page.read_text("utf-8")
        assert page.name.startswith(f"{number:04}-")
        assert text.startswith(f"# {number:04}: ")
        parts = re.findall(r"^## (.+)$", text, re.MULTILINE)
        assert parts == ["Context", "Decision", "Consequences"]
        assert f"(decisions/{page.name})" in index


# -- Running a server -----------------------------------------------------------------------------


def part(page: Path, heading: str) -> str:
    """What stands under a heading, whatever its depth, until the next one."""
    found = re.split(r"^#+ (.+)$", page.read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(found[1::2], found[2::2], strict=True))[heading]


def as_set(value: object) -> str:
    """A setting's value as an operator would write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def test_every_setting_of_a_server_is_told_with_what_is_usual() -> None:
    told = table_rows(part(DOCS / "server.md", "Settings"))
    settings = [(one.name, one.default) for one in dataclasses.fields(Settings)]
    assert [row[0].strip("`") for row in told] == [name for name, _ in settings]
    for (name, usual), row in zip(settings, told, strict=True):
        expected = "none" if usual in ("", ()) else f"`{as_set(usual)}`"
        assert row[1] == expected, name


def test_every_setting_of_a_server_is_a_flag() -> None:
    from bullpen.terminal.commands import serve

    flags = set(signature(serve).parameters) - {"ctx", "home"}
    assert flags == {one.name for one in dataclasses.fields(Settings)}


def test_every_metric_of_a_server_is_told() -> None:
    page = part(DOCS / "server.md", "Metrics")
    told = {name for row in table_rows(page) for name in quoted(row[0])}
    families = [*Metrics().registry.collect()]
    own = {
        f"{one.name}_total" if one.type == "counter" else one.name
        for one in families
        if one.name.startswith("bullpen_")
    }
    assert told == own
    alerts = (ROOT / "contrib" / "alerts.yaml").read_text("utf-8")
    wanted = set(re.findall(r"bullpen_\w+", alerts))
    assert wanted
    assert {name.removesuffix("_bucket") for name in wanted} <= own


def test_every_line_of_the_log_is_told() -> None:
    folder = ROOT / "src" / "bullpen" / "server"
    sources = "\n".join(file.read_text("utf-8") for file in folder.rglob("*.py"))
    written = set(re.findall(r"log\.(?:info|warning|error|exception)\(\s*\"([^\"]+)\"", sources))
    assert len(written) > 20
    rows = table_rows(part(DOCS / "server.md", "The log"))
    assert {name for row in rows for name in quoted(row[0])} == written


# -- Every page -----------------------------------------------------------------------------------


def anchors(page: Path) -> set[str]:
    """The names of a page's headings in links, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@every_page
def test_relative_links_resolve(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    links = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r"<img src=\"([^\"]+)\"", text)
    for link in links:
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@every_page
def test_the_examples_of_a_page_run(page: Path) -> None:
    text = page.read_text("utf-8")
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    report: list[str] = []
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    doctest.DocTestRunner(optionflags=flags, verbose=False).run(test, out=report.append)
    assert not report, "".join(report)


# Those that the reference shows, and all others.
WITH_EXAMPLES = [
    ".".join(file.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
    for file in sorted((ROOT / "src").rglob("*.py"))
    if ">>> " in file.read_text("utf-8")
]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_in_docstrings_run(name: str) -> None:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    tests = doctest.DocTestFinder().find(import_module(name))
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=flags, verbose=False)
    for test in tests:
        runner.run(test, out=report.append)
    assert not report, "".join(report)
    assert runner.tries


@every_page
def test_a_page_names_no_place_of_one_machine(page: Path) -> None:
    assert not re.search(r"(?<![\w.])/(?:home|root|work|Users)/", page.read_text("utf-8"))


def test_every_test_that_stands_for_a_promise_is_there() -> None:
    named = set(re.findall(r"`(test_\w+)`", (ROOT / "docs" / "promises.md").read_text("utf-8")))
    sources = [file.read_text("utf-8") for file in (ROOT / "tests").rglob("test_*.py")]
    there = {name for source in sources for name in re.findall(r"def (test_\w+)\(", source)}
    assert len(named) > 40
    assert named <= there
