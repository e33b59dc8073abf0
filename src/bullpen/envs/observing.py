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
from typing import Any, Literal

import numpy as np

from bullpen.cards import UNSEEN, Card, Lying
from bullpen.envs.layouts import (
    HEAP,
    MOST,
    Layout,
    Mask,
    Observation,
    actions_of,
    extra,
    heap_codes,
    kind_of,
    layout,
    layout_of,
)
from bullpen.game import Action, Game, Seat, View

__all__ = ["Memory", "action_mask", "layout", "layout_of", "observe", "observe_all"]

Memory = Literal["perfect", "shown"]


def observe(game: Game[Any], view: View[Any], memory: Memory = "perfect") -> Observation:
    """What a seat knows, as numbers: all that it could remember, or only what is shown now."""
    assert view.seat is not None, "a spectator plays no part"
    lying = view.remembered if memory == "perfect" else view.table.lying
    return _observed(game, view.table, lying, view.seat, memory)


def observe_all(game: Game[Any], table: Any) -> Observation:
    """The whole table, with all cards open, from seat 0 on: the state that no seat knows."""
    return _observed(game, table, table.lying, 0, "perfect")


def _observed(game: Game[Any], table: Any, lying: Lying, seat: Seat, memory: Memory) -> Observation:
    form = layout_of(game, table.seats, table.options)
    seen = np.zeros(form.length, np.int16)
    for cards, code in _places(game.ID, table, lying, seat):
        for card in cards:
            if card != UNSEEN:
                seen[card - 1] = code
    if form.heaps:
        link: Links = extra(game.ID, "link", link_heaps)
        link(game, table, lying, seat, form, seen)
    numbers = _numbers(game, table, seat, memory)
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
    kind = kind_of(game)
    for code, place in enumerate(kind.open_to_all.values(), start=1):
        if place != HEAP:
            yield lying[place], code
    code = len(kind.open_to_all) + 1
    for name, place in kind.by_seat.items():
        order = range(table.seats) if name == kind.numbered else clockwise(table.seats, seat)
        for other in order if place != HEAP else ():
            yield lying[place + other], code + order.index(other)
        code += table.seats


Links = Callable[[Game[Any], Any, Lying, Seat, Layout, Observation], None]


def link_heaps(
    game: Game[Any], table: Any, lying: Lying, seat: Seat, form: Layout, seen: Observation
) -> None:
    """Every card in a heap gets the heap's code, and the card that names the heap."""
    name_of: Callable[[tuple[Card, ...]], Card] = extra(game.ID, "heap_name", top)
    kind_at: Callable[[Any, int], int] = extra(game.ID, "heap_kind", lambda table, at: 0)
    codes, owned = heap_codes(game.ID), game.rules.places.heap.owned
    for at, cards in enumerate(lying[table.FIXED :]):
        whose = (
            f" {clockwise(table.seats, seat).index(table.owner_of(table.FIXED + at))}"
            if owned
            else ""
        )
        name = name_of(cards)
        for card in cards:
            code = codes[kind_at(table, at)] if card == name else codes[-1]
            seen[card - 1] = form.code(code + whose)
            seen[form.cards + card - 1] = name


def top(cards: tuple[Card, ...]) -> Card:
    return cards[-1]


# -- Numbers ------------------------------------------------------------------------------------


def _numbers(game: Game[Any], table: Any, seat: Seat, memory: Memory) -> list[int]:
    kind, order, lying = kind_of(game.ID), clockwise(table.seats, seat), table.lying
    secret_phase, chosen = kind.secret
    is_secret = table.phase == secret_phase
    scores = game.scores(table)
    numbers = [table.phase, _actor(table, order, secret_phase, kind.over)]
    numbers += [scores[other] for other in order]
    for name, place in kind.counted.items():
        sizes = [len(lying[place + other]) for other in order]
        if name == "hand" and is_secret:  # a card lying face down counts as in the hand
            sizes = [size + len(lying[chosen + o]) for size, o in zip(sizes, order, strict=True)]
        numbers += sizes
    own: Callable[[Any, Sequence[Seat], Memory], list[int]]
    own = extra(game.ID, "numbers", rounds_played)
    return numbers + own(table, order, memory)


def _actor(table: Any, order: Sequence[Seat], secret_phase: int, over: int) -> int:
    """Who decides, 0 for oneself; `seats` in a secret choice, `seats + 1` when the game is over."""
    if table.phase == secret_phase:
        return len(order)
    return len(order) + 1 if table.phase == over else order.index(table.actor)


def rounds_played(table: Any, order: Sequence[Seat], memory: Memory) -> list[int]:
    return [len(table.points)]
