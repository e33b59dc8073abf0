"""The last positions that the browser's tallies are compared with are those of the rules as they are."""

from __future__ import annotations

import json

from tests.tallies import FILE, written

X2_AND_PLUS5 = range(99, 111)


def test_the_last_positions_are_those_of_the_rules() -> None:
    assert FILE.read_text("utf-8") == written(), "run: make landings"


def test_all_that_counts_is_among_them() -> None:
    found: dict[str, list[list[int]]] = {}
    for part in json.loads(FILE.read_text("utf-8")):
        for position in part["positions"]:
            for place, cards in position["places"].items():
                found.setdefault(f"{part['game']} {place.rstrip('012 ')}", []).append(cards)
    assert any(set(pile) & set(X2_AND_PLUS5) for pile in found["hornochsen pile"])
    for place in ("hornochsen hand", "bullenparty bulls", "x-nimmt x pile", "x-nimmt hand"):
        assert any(found[place]), place
