"""docs/wire.md says what the wire is: every example fits its schema, every message has an example."""

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from bullpen.deck import load_deck
from bullpen.game import Game, complete_options
from bullpen.games import GAMES
from bullpen.languages import LANGUAGES
from bullpen.server.header import Header
from bullpen.server.levels import LEVELS
from bullpen.server.messages import PHRASES
from bullpen.server.requests import JoinTable, NewTable
from bullpen.server.settings import Settings
from bullpen.server.wire.client_messages import CLIENT_MESSAGE
from bullpen.server.wire.schema import wire_schema
from bullpen.server.wire.server_messages import SERVER_MESSAGE
from bullpen.table import Table
from bullpen.text import voice

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "wire.md").read_text("utf-8")
READERS = {"client": CLIENT_MESSAGE, "server": SERVER_MESSAGE}


def examples(side: str) -> list[Any]:
    """All JSON values in the blocks of one side, one after the other."""
    found, decoder = [], json.JSONDecoder()
    for block in re.findall(rf"^```json {side}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        text = block.strip()
        while text:
            value, end = decoder.raw_decode(text)
            found.append(value)
            text = text[end:].strip()
    return found


@pytest.mark.parametrize("side", READERS)
def test_every_example_on_the_page_fits_the_schema(side: str) -> None:
    schema = wire_schema()[side]
    for example in examples(side):
        READERS[side].validate_json(json.dumps(example))
        jsonschema.validate(example, schema)


@pytest.mark.parametrize("side", READERS)
def test_every_message_has_an_example(side: str) -> None:
    types = set(wire_schema()[side]["discriminator"]["mapping"])
    assert {example["type"] for example in examples(side)} == types
    for kind in types:
        assert f"`{kind}`" in PAGE


def test_the_request_for_a_table_is_one() -> None:
    bodies = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    wish = NewTable.model_validate_json(bodies[0])
    assert wish.game == "x-nimmt"
    JoinTable.model_validate({"name": "Bo", "invite": "w1x", "as": "program"})


def test_every_phase_and_fact_is_on_the_page() -> None:
    for game, rules in GAMES.items():
        row = next(line for line in PAGE.splitlines() if f"(games/{game}.md) |" in line)
        for phase in set(rules.phases) - {"over"}:
            assert f"`{phase}`" in row
        for fact in facts_told(rules):
            assert f"`{fact}`" in row


def facts_told(game: Game[Any]) -> set[str]:
    seats = game.SEATS[0]
    options = complete_options(game, seats, {})
    return set(game.facts(game.set_up(seats, options, load_deck(game.DECK_FILES))))


def test_a_table_has_no_fact_that_is_neither_told_nor_kept_on_purpose() -> None:
    """A new field of a table must be thought about: is it open?"""
    memory = {"gone_under"}  # what a perfect memory knows
    counted = {"bulls", "main_piles"}  # 11 nimmt!, Bullenparty: the places tell it, too
    for game in GAMES.values():
        shared = {one.name for one in fields(Table)}
        own = {one.name for one in fields(game.rules.Table) if one.compare} - shared
        assert facts_told(game) - counted == own - memory


def test_games_and_phrases_and_levels_are_known_everywhere() -> None:
    named = NewTable.model_json_schema()["properties"]["game"]["enum"]
    assert set(named) == set(GAMES)
    for language in LANGUAGES:
        said = voice(language).sentences["server"]
        assert set(said["phrases"]) == set(PHRASES)
        assert set(said["levels"]) == set(LEVELS)


def test_every_setting_is_explained() -> None:
    page = (ROOT / "docs" / "server.md").read_text("utf-8")
    for name in Settings.__dataclass_fields__:
        assert f"`{name}`" in page
        for language in LANGUAGES:
            help_page = voice(language).sentences["terminal"]["help"]["serve"]
            assert f"--{name.replace('_', '-')}" in help_page


def test_a_header_survives_the_store() -> None:
    header = Header(game="x-nimmt", options={"rounds": 1}, seats=[])
    assert Header.model_validate(json.loads(json.dumps(header.model_dump()))) == header
