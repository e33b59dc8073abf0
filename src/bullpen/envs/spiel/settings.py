"""What a game in OpenSpiel is made with: its parameters, checked, and what follows from them.

OpenSpiel's parameters have one type each and no null, so an option that may be null, or whose usual value
depends on the number of players, takes 0 for that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bullpen.cards import Card
from bullpen.deck import Deck, load_deck
from bullpen.envs.chance import Chance, cards_that_matter
from bullpen.game import (
    BadOption,
    Game,
    Option,
    OptionValue,
    WholeNumber,
    WholeNumberOrNull,
    complete_options,
)
from bullpen.games import game_called

Parameters = Mapping[str, Any]

UTILITIES = ("lead", "win", "points")
CHANCES = ("explicit", "sampled")
DYNAMICS = ("sequential", "simultaneous")
USUAL = 0  # as the value of an option: whatever is usual there
ANY_SEED = -1


def specification(game: Game[Any]) -> dict[str, Any]:
    """Every parameter and its usual value, which also tells OpenSpiel its type."""
    players = game.SEATS[0]
    options = {option.name: usual_value(option, players) for option in game.OPTIONS}
    own = {
        "utility": UTILITIES[0],
        "chance": CHANCES[0],
        "dynamics": DYNAMICS[0],
        "seed": ANY_SEED,
    }
    return {"players": players, **options, **own}


def usual_value(option: Option, players: int) -> Any:
    return USUAL if may_be_usual(option) else option.default(players)


def may_be_usual(option: Option) -> bool:
    """Whether 0 stands for what OpenSpiel cannot say; such an option never has the value 0."""
    if isinstance(option.kind, WholeNumberOrNull):
        return True
    return isinstance(option.kind, WholeNumber) and option.default(2) != option.default(3)


def one_of(game: Game[Any], name: str, value: Any, allowed: Sequence[str]) -> str:
    if value not in allowed:
        known = " | ".join(allowed)
        raise BadOption("bad_option", game=game.ID, option=name, value=value, allowed=known)
    return str(value)


@dataclass(frozen=True)
class Setting:
    """A game as it was loaded.  Its states share it: copies of them do not copy it."""

    rules: Game[Any]
    seats: int
    options: dict[str, OptionValue]
    utility: str
    chance: str
    dynamics: str
    seed: int
    deck: Deck
    deals: Chance = field(compare=False)  # of sampled chance

    def __deepcopy__(self, memo: object) -> Setting:
        return self

    @property
    def is_sampled(self) -> bool:
        return self.chance == "sampled"

    @property
    def is_simultaneous(self) -> bool:
        return self.dynamics == "simultaneous"

    @property
    def parameters(self) -> dict[str, Any]:
        options = {
            option.name: USUAL if self.options[option.name] is None else self.options[option.name]
            for option in self.rules.OPTIONS
        }
        own = {
            "utility": self.utility,
            "chance": self.chance,
            "dynamics": self.dynamics,
            "seed": self.seed,
        }
        return {"players": self.seats, **options, **own}

    def matter(self, table: Any) -> int:
        """How many cards of the shuffle that the table wants make a difference."""
        return cards_that_matter(self.rules, table, len(self.rules.to_shuffle(table)))

    def whole_shuffle(self, table: Any, first: Sequence[Card]) -> list[Card]:
        """The cards that matter, and the others in any order."""
        return [*first, *(card for card in self.rules.to_shuffle(table) if card not in first)]


def setting_from(game: str, given: Parameters) -> Setting:
    rules = game_called(game)
    parameters = {**specification(rules), **given}
    seats = parameters["players"]
    options = {
        option.name: parameters[option.name]
        for option in rules.OPTIONS
        if not (may_be_usual(option) and parameters[option.name] == USUAL)
    }
    seed = parameters["seed"]
    return Setting(
        rules,
        seats,
        complete_options(rules, seats, options),
        one_of(rules, "utility", parameters["utility"], UTILITIES),
        one_of(rules, "chance", parameters["chance"], CHANCES),
        one_of(rules, "dynamics", parameters["dynamics"], DYNAMICS),
        seed,
        load_deck(rules.DECK_FILES),
        Chance(None if seed == ANY_SEED else seed),
    )
