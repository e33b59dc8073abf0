"""Why a move is good or bad: what becomes of it until the same is asked again, on tables that look like this one.

No game writes this down: what is taken and where a card lands is read from the cards that are carried.

>>> import bullpen
>>> match = bullpen.new("six-nimmt", seats=3, seed=7)
>>> found = reason(match.game, match.view(0), match.view(0).legal[-1], seed=0)
>>> 0 <= found.nothing <= 1, found.tables >= LEAST_TABLES
(True, True)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from bullpen.bots import careless
from bullpen.cards import Card
from bullpen.game import Action, Game, View
from bullpen.offers import Meaning, meaning
from bullpen.phrases import heads_of
from bullpen.table import Table

MOVES = 2_000  # of others, in all imagined turns together: less than a second
LEAST_TABLES, MOST_TABLES = 100, 400
LONGEST_TURN = 80  # moves, until the same is asked again


@dataclass(frozen=True, slots=True)
class Reason:
    """What becomes of one move, and how often."""

    tables: int
    place: str | None  # where the card would land, as everything lies now
    takes: bool  # it would take what lies there
    nothing: float  # how often nothing is taken with it
    there: float  # how often something is taken at that very place
    heads: float | None  # that are taken on average; None where heads are not all alike
    safe: int  # other cards of the hand that would just join a row, as everything lies now

    def as_json(self) -> dict[str, Any]:
        return {
            name: round(value, 3) if isinstance(value, float) else value
            for name in self.__slots__
            for value in (getattr(self, name),)
        }


Taken = list[tuple[str, tuple[Card, ...]]]  # from which place, which cards


def reason(game: Game[Any], view: View[Any], action: Action, seed: int) -> Reason:
    """Of one of `view.legal`.  The same view and seed give the same reason."""
    meant = meaning(game, view, action)
    view = game.before_choices(view)  # what others have laid, they choose again on every table
    tables = max(LEAST_TABLES, min(MOST_TABLES, MOVES // view.table.seats))
    turns = [taken_in_turn(game, view, action, Random(f"{seed} {at}")) for at in range(tables)]
    return Reason(
        tables=tables,
        place=meant.place,
        takes=meant.effect == "takes",
        nothing=sum(not taken for taken in turns) / tables,
        there=sum(any(place == meant.place for place, _ in taken) for taken in turns) / tables,
        heads=mean_heads(game, view.table, turns),
        safe=safe_cards(game, view, meant),
    )


def taken_in_turn(game: Game[Any], view: View[Any], action: Action, rng: Random) -> Taken:
    """On one imagined table, with others who are careful most of the time."""
    seat = view.seat
    assert seat is not None
    table, taken = game.imagine(view, rng), Taken()
    mover, move = seat, action
    for _ in range(LONGEST_TURN):
        table, _ = game.apply(table, mover, move)
        taken += carried_off(table, seat)
        waiting = game.waiting_for(table)
        if not waiting or (waiting[0] == seat and table.phase == view.table.phase):
            break
        mover = waiting[0]
        move = careless.choose(game, game.view(table, mover), rng)
    return taken


def carried_off(table: Table, seat: int) -> Iterator[tuple[str, tuple[Card, ...]]]:
    """What this seat has just taken from the middle of the table."""
    family_of = table.PLACES.family_of
    for number, cards, origin, to, _, _ in table.carries:
        teller = table.events[number] if number < len(table.events) else {}
        if teller.get("seat") != seat or origin == to:
            continue
        if family_of(origin).is_shared and not family_of(to).is_shared:
            yield table.called(origin), cards


def mean_heads(game: Game[Any], table: Table, turns: list[Taken]) -> float | None:
    if table.deck.colours or table.deck.has_red_heads:
        return None
    heads = [
        heads_of(game, table, card)
        for taken in turns
        for _, cards in taken
        for card in cards
        if card
    ]
    return sum(heads) / len(turns)


def safe_cards(game: Game[Any], view: View[Any], played: Meaning) -> int:
    """Of those that are kept, where one is chosen in secret and the others may be next."""
    table = view.table
    families = table.PLACES.families
    if played.card is None or not any(one.secret_in == table.phase for one in families):
        return 0
    offers = [meaning(game, view, action) for action in view.legal]
    places = game.places(table)
    fitting = {
        one.card
        for one in offers
        if one.effect == "joins"
        and one.place in places
        and table.PLACES.family_of(places[one.place]).is_shared
    }
    return len(fitting - {played.card, None})
