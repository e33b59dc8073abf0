"""What is told of a table besides its cards: nothing that a view would not show."""

from __future__ import annotations

from typing import Any

from bullpen.game import Game
from bullpen.games import (
    baron_oxx,
    bullenparty,
    eleven_nimmt,
    hornochsen,
    six_nimmt,
    x_nimmt,
)

# By game: what each phase is called, and the table's open facts.  What a perfect memory knows (`seen`,
# `gone_under`) is not among them.
PHASES: dict[str, dict[int, str]] = {
    "hornochsen": {hornochsen.PLAYING: "playing", hornochsen.OVER: "over"},
    "eleven-nimmt": {
        eleven_nimmt.PLAYING: "playing",
        eleven_nimmt.CHOOSING_BULL: "choosing_bull",
        eleven_nimmt.OVER: "over",
    },
    "x-nimmt": {
        x_nimmt.LAYING: "laying",
        x_nimmt.TAKING: "taking",
        x_nimmt.KEEPING: "keeping",
        x_nimmt.OVER: "over",
    },
    "baron-oxx": {
        baron_oxx.LAYING: "laying",
        baron_oxx.CHOOSING: "choosing",
        baron_oxx.OVER: "over",
    },
    "bullenparty": {
        bullenparty.BIDDING: "bidding",
        bullenparty.TAKING: "taking",
        bullenparty.EXTENDING: "extending",
        bullenparty.PILING: "piling",
        bullenparty.OVER: "over",
    },
    "six-nimmt": {
        six_nimmt.LAYING: "laying",
        six_nimmt.TAKING: "taking",
        six_nimmt.OVER: "over",
    },
}
OPEN_FACTS: dict[str, tuple[str, ...]] = {
    "hornochsen": ("played",),
    "eleven-nimmt": ("starter", "bulls", "served"),
    "x-nimmt": (),
    "baron-oxx": (),
    "bullenparty": ("bidders", "takers", "owners", "zeros", "emptied"),
    "six-nimmt": ("heads_taken",),
}


def phase_of(game: Game[Any], table: Any) -> str:
    """A phase that nobody can see from outside is `dealing`."""
    return PHASES[game.ID].get(table.phase, "dealing")


def facts_of(game: Game[Any], table: Any) -> dict[str, Any]:
    return {name: getattr(table, name) for name in OPEN_FACTS[game.ID]}
