"""An observation made from a view: numbers for programs that learn, laid out as `layouts` says.

>>> from bullpen import match
>>> play = match.new("x-nimmt", seats=2, seed=7)
>>> seen = observe(play.game, play.view(0))
>>> seen.shape, int((seen[:100] == layout("x-nimmt", 2).code("hand 0")).sum())
((109,), 8)

Whether another seat has already made its secret choice leaves no trace in an observation: seats that
choose one after the other observe the same as seats that choose at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from bullpen.cards import UNSEEN, Card, Lying
from bullpen.envs.layouts import (
    HEAP,
    KINDS,
    MOST,
    ROWS_BY_NUMBER,
    Layout,
    Mask,
    Observation,
    actions_of,
    layout,
    layout_of,
)
from bullpen.game import Action, Game, Seat, View
from bullpen.games import baron_oxx, bullenparty, eleven_nimmt, hornochsen

__all__ = ["Memory", "action_mask", "layout", "layout_of", "observe"]

Memory = Literal["perfect", "shown"]


class Heap(NamedTuple):
    """A row, stack or pile that has no place of its own: its cards, the one that names it, and the
    codes of that one and of the others."""

    cards: Sequence[Card]
    name: Card
    name_code: str
    others_code: str


def observe(game: Game[Any], view: View[Any], memory: Memory = "perfect") -> Observation:
    """What a seat knows, as numbers: all that it could remember, or only what is shown now."""
    assert view.seat is not None, "a spectator plays no part"
    table, lying = view.table, view.remembered if memory == "perfect" else view.table.lying
    form = layout_of(game, table.seats, table.options)
    seen = np.zeros(form.length, np.int16)
    for cards, code in _places(game.ID, table, lying, view.seat):
        for card in cards:
            if card != UNSEEN:
                seen[card - 1] = code
    if form.heaps:
        LINKS[game.ID](table, lying, view.seat, form, seen)
    numbers = _numbers(game, table, view.seat, memory)
    seen[form.first_number :] = [max(-MOST, min(MOST, number)) for number in numbers]
    return seen


def action_mask(game: Game[Any], legal: Iterable[Action]) -> Mask:
    """Ones where an action is legal; for `view.legal` or `game.legal(table, seat)`."""
    mask = np.zeros(actions_of(game.ID), np.int8)
    mask[list(legal)] = 1
    return mask


def clockwise(seats: int, seat: Seat) -> list[Seat]:
    """All seats from this one on: at index k the one k places further."""
    return [(seat + step) % seats for step in range(seats)]


# -- Where the cards lie ------------------------------------------------------------------------


def _places(
    game: str, table: Any, lying: Lying, seat: Seat
) -> Iterator[tuple[Sequence[Card], int]]:
    kind = KINDS[game]
    for code, place in enumerate(kind.open_to_all.values(), start=1):
        if place != HEAP:
            yield lying[place], code
    code = len(kind.open_to_all) + 1
    for name, place in kind.by_seat.items():
        order = range(table.seats) if name == ROWS_BY_NUMBER else clockwise(table.seats, seat)
        for other in order if place != HEAP else ():
            yield lying[place + other], code + order.index(other)
        code += table.seats


Links = Callable[[Any, Lying, Seat, Layout, Observation], None]


def _link(form: Layout, seen: Observation, heaps: Iterable[Heap]) -> None:
    for heap in heaps:
        for card in heap.cards:
            code = heap.name_code if card == heap.name else heap.others_code
            seen[card - 1] = form.code(code)
            seen[form.cards + card - 1] = heap.name


def hornochsen_rows(table: Any, lying: Lying, seat: Seat, form: Layout, seen: Observation) -> None:
    """Rows are named by their end values; how they lie in the ring makes no difference."""
    rows = lying[hornochsen.ROW :]
    ends = map(hornochsen.end_value, rows)
    _link(
        form,
        seen,
        [Heap(row, end, "end of a row", "in a row") for row, end in zip(rows, ends, strict=True)],
    )


def eleven_nimmt_stacks(
    table: Any, lying: Lying, seat: Seat, form: Layout, seen: Observation
) -> None:
    played_on = [slot for slot, _ in table.served]
    top_codes = ("top of a stack", "top of a stack played on")
    stacks = enumerate(lying[eleven_nimmt.STACK :])
    _link(
        form,
        seen,
        [
            Heap(cards, cards[-1], top_codes[slot in played_on], "under a top")
            for slot, cards in stacks
        ],
    )


def bullenparty_piles(
    table: Any, lying: Lying, seat: Seat, form: Layout, seen: Observation
) -> None:
    order = clockwise(table.seats, seat)
    piles = zip(table.owners, lying[bullenparty.PILE :], strict=True)
    _link(
        form,
        seen,
        [
            Heap(
                pile,
                pile[-1],
                f"top of a pile {order.index(owner)}",
                f"under a top {order.index(owner)}",
            )
            for owner, pile in piles
        ],
    )


def baron_oxx_depths(table: Any, lying: Lying, seat: Seat, form: Layout, seen: Observation) -> None:
    """BO-16 (positive): a card that went under is known where it lies in the draw pile; 1 is on top."""
    for pile in lying[baron_oxx.DRAW : baron_oxx.DRAW + table.seats]:
        for depth, card in enumerate(pile, start=1):
            if card != UNSEEN:
                seen[form.cards + card - 1] = depth


LINKS: dict[str, Links] = {
    "hornochsen": hornochsen_rows,
    "eleven-nimmt": eleven_nimmt_stacks,
    "baron-oxx": baron_oxx_depths,
    "bullenparty": bullenparty_piles,
}


# -- Numbers ------------------------------------------------------------------------------------


def _numbers(game: Game[Any], table: Any, seat: Seat, memory: Memory) -> list[int]:
    kind, order, lying = KINDS[game.ID], clockwise(table.seats, seat), table.lying
    secret_phase, chosen = kind.secret
    is_secret = table.phase == secret_phase
    scores = game.scores(table)
    numbers = [table.phase, _actor(table, order, secret_phase, kind.over)]
    numbers += [scores[other] for other in order]
    for name in kind.counted:
        sizes = [len(lying[kind.by_seat[name] + other]) for other in order]
        if name == "hand" and is_secret:  # a card lying face down counts as in the hand
            sizes = [size + len(lying[chosen + o]) for size, o in zip(sizes, order, strict=True)]
        numbers += sizes
    return numbers + OWN_NUMBERS[game.ID](table, order, memory)


def _actor(table: Any, order: Sequence[Seat], secret_phase: int, over: int) -> int:
    """Who decides, 0 for oneself; `seats` in a secret choice, `seats + 1` when the game is over."""
    if table.phase == secret_phase:
        return len(order)
    return len(order) + 1 if table.phase == over else order.index(table.actor)


def rounds_played(table: Any, order: Sequence[Seat], memory: Memory) -> list[int]:
    return [len(table.points)]


def hornochsen_numbers(table: Any, order: Sequence[Seat], memory: Memory) -> list[int]:
    return [table.played]


def eleven_nimmt_numbers(table: Any, order: Sequence[Seat], memory: Memory) -> list[int]:
    last_name = table.served[-1][1] if table.served else 0
    return [
        len(table.points),
        order.index(table.starter),
        len(table.lying[eleven_nimmt.DRAW]),
        len(table.served),
        last_name,
        *(table.bulls[other] for other in order),
    ]


def baron_oxx_numbers(table: Any, order: Sequence[Seat], memory: Memory) -> list[int]:
    rows = [table.lying[baron_oxx.ROW + row] for row in baron_oxx.ROWS]
    gone_under = table.gone_under.bit_count() if memory == "perfect" else 0
    return [len(table.points), gone_under, *(row[-1] if row else 0 for row in rows)]


def bullenparty_numbers(table: Any, order: Sequence[Seat], memory: Memory) -> list[int]:
    piles = (table.lying[place] for place in (bullenparty.DRAW, bullenparty.DISCARD))
    took = [table.takers.index(other) + 1 if other in table.takers else 0 for other in order]
    return [
        min(table.emptied, 1),
        *map(len, piles),
        *(int(other in table.bidders) for other in order),
        *took,
    ]


OWN_NUMBERS: dict[str, Callable[[Any, Sequence[Seat], Memory], list[int]]] = {
    "hornochsen": hornochsen_numbers,
    "eleven-nimmt": eleven_nimmt_numbers,
    "x-nimmt": rounds_played,
    "baron-oxx": baron_oxx_numbers,
    "bullenparty": bullenparty_numbers,
    "six-nimmt": rounds_played,
}
