"""The positions that the browser's previews are compared with are those of the rules as they are."""

from __future__ import annotations

import json

from tests.landings import FILE, OF_A_KIND, written

KINDS = {
    "six-nimmt": {"add", "choose", "take"},
    "x-nimmt": {"add", "choose", "take"},
    "hornochsen": {"add", "take"},
    "standard": {"add", "choose", "take"},  # and the other variants of Baron Oxx
    "colour": {"add", "choose", "take"},
    "positive": {"add", "choose", "take", "under"},
}


def test_the_positions_are_those_of_the_rules() -> None:
    assert FILE.read_text("utf-8") == written(), "run: make landings"


def test_all_that_can_happen_is_among_them() -> None:
    for part in json.loads(FILE.read_text("utf-8")):
        kinds = {position.get("kind") for position in part["positions"]}
        assert len(part["positions"]) >= OF_A_KIND
        assert kinds == KINDS.get(part["options"].get("variant", part["game"]), {None})
