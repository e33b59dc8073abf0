"""What a game in OpenSpiel is made with: its parameters, checked, and what follows from them.

OpenSpiel's parameters have one type each and no null, so an option that may be null, or whose usual value
depends on the number of players, takes 0 for that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from bullpen.cards import Card
from bullpen.deals import count_deals, packets_of
from bullpen.deck import Deck, load_deck
from bullpen.envs.chance import Chance, cards_that_matter
from bullpen.envs.layouts import Layout, layout_of
from bullpen.envs.spiel.rooms import Rooms
from bullpen.game import (
    BadOption,
    Game,
    Option,
    OptionValue,
    WholeNumber,
    WholeNumberOrNull,
    complete_options,
    is_mini,
)
from bullpen.games import game_called
from bullpen.sizes import NAMES

Parameters = Mapping[str, Any]

UTILITIES = ("lead", "win", "points")
CHANCES = ("explicit", "sampled")
DYNAMICS = ("sequential", "simultaneous")
USUAL = 0  # as the value of an option: whatever is usual there
ANY_SEED = -1
MOST_DEALS = 100_000  # of a mini game, as outcomes of one chance node


def specification(game: Game[Any]) -> dict[str, Any]:
    """Every parameter and its usual value, which also tells OpenSpiel its type."""
    players = game.SEATS[0]
    options = {option.name: usual_value(option, players) for option in game.OPTIONS}
    options |= dict.fromkeys(game.sizes(players), USUAL)
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
    if isinstance(option.kind, WholeNumberOrNull) or option.in_mini_games is not None:
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

    @cached_property
    def is_sampled(self) -> bool:
        return self.chance == "sampled"

    @cached_property
    def is_simultaneous(self) -> bool:
        return self.dynamics == "simultaneous"

    @cached_property
    def is_mini(self) -> bool:
        return is_mini(self.options)

    @cached_property
    def layout(self) -> Layout:
        """Of what a seat sees."""
        return layout_of(self.rules, self.seats, self.options)

    @cached_property
    def rooms(self) -> Rooms:
        """For positions on the compiled twin."""
        return Rooms(self.rules)

    @property
    def parameters(self) -> dict[str, Any]:
        options = {
            option.name: USUAL if self.options[option.name] is None else self.options[option.name]
            for option in self.rules.OPTIONS
        }
        options |= {name: self.options.get(name, USUAL) for name in self.rules.sizes(self.seats)}
        own = {
            "utility": self.utility,
            "chance": self.chance,
            "dynamics": self.dynamics,
            "seed": self.seed,
        }
        return {"players": self.seats, **options, **own}

    def whole_deals(self, table: Any) -> int:
        """How many outcomes the one chance node of a mini game has; 0 where cards are dealt one by one."""
        packets = packets_of(self.rules, table) if self.is_mini else None
        if packets is None:
            return 0
        count = count_deals(len(self.rules.to_shuffle(table)), packets)
        return count if count <= MOST_DEALS else 0

    def matter(self, table: Any) -> int:
        """How many cards of the shuffle that the table wants make a difference."""
        return cards_that_matter(self.rules, table, len(self.rules.to_shuffle(table)))

    def whole_shuffle(self, table: Any, first: Sequence[Card]) -> list[Card]:
        """The cards that matter, and the others in any order."""
        known = set(first)
        return [*first, *(card for card in self.rules.to_shuffle(table) if card not in known)]


def setting_from(game: str, given: Parameters) -> Setting:
    rules = game_called(game)
    parameters = {**specification(rules), **given}
    seats = parameters["players"]
    options = {
        option.name: parameters[option.name]
        for option in rules.OPTIONS
        if not (may_be_usual(option) and parameters[option.name] == USUAL)
    }
    sizes = {name: parameters[name] for name in NAMES if parameters.get(name, USUAL) != USUAL}
    seed = parameters["seed"]
    return Setting(
        rules,
        seats,
        complete_options(rules, seats, options | sizes),
        one_of(rules, "utility", parameters["utility"], UTILITIES),
        one_of(rules, "chance", parameters["chance"], CHANCES),
        one_of(rules, "dynamics", parameters["dynamics"], DYNAMICS),
        seed,
        load_deck(rules.DECK_FILES),
        Chance(None if seed == ANY_SEED else seed),
    )
