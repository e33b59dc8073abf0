"""Observations that a network can read: for every card which row or heap it would meet, for every row its end.

Made of an observation by places, in one way for all games: from the places that a game declares.  A card meets the
row or heap with the highest end below it, which is where it would lie in most of the games; what else a game asks
for, its mask says.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.deck import Deck
from bullpen.envs.layouts import Layout, Observation
from bullpen.games import game_called
from bullpen.places import ALIKE, UNKNOWN

Rows = NDArray[np.float32]

# For every card; those after `meets` tell of the row or heap that it meets.
OF_CARD = ("own", "unseen", "end", "meets", "gap", "between", "length", "heads", "cost")
OF_ROW = ("end", "length", "heads")
MANY = 10.0  # what counts as one: cards in a row, or heads on it


class Terms(NamedTuple):
    """What the numbers of an observation mean, as compiled code takes it."""

    row_of_code: NDArray[np.int16]  # 0 for a place that is no row
    end_at: NDArray[np.int64]  # by row: which number tells its end, or -1
    full_at: NDArray[
        np.int16
    ]  # by row, and first of heaps: at how many cards it is taken; 0 where none is
    heads: NDArray[np.int16]  # by card
    scale: NDArray[np.float32]  # of the numbers
    numbered: int  # the cards up to this one have an order
    own: int  # the code of one's own hand
    has_heaps: bool


def terms_of(form: Layout, deck: Deck) -> Terms:
    rows = declared_rows(form.game)
    row_of_code = np.zeros(len(form.places), np.int16)
    end_at = np.full(len(rows) + 1, -1, np.int64)
    for row, name in enumerate(rows, start=1):
        if name in form.places:
            row_of_code[form.code(name)] = row
        if f"end of {name}" in form.numbers:
            end_at[row] = form.at(f"end of {name}")
    heads = np.zeros(form.cards + 1, np.int16)
    shown = [sum(bulls) for bulls in deck.colours] if deck.colours else list(deck.heads)
    heads[: min(len(shown), form.cards + 1)] = shown[: form.cards + 1]
    heap = game_called(form.game).rules.places.heap
    full_at = np.array([heap.holds[0] if heap and heap.holds else 0, *rows.values()], np.int16)
    full_at[full_at > 0] -= form.sooner
    scale = np.minimum(form.high[form.first_number :], 100).astype(np.float32)
    numbered = min(len(shown) - 1, form.cards)
    own = form.code("hand 0")
    return Terms(
        row_of_code, end_at, full_at, heads, scale, numbered, own, has_heaps=heap is not None
    )


@cache
def declared_rows(game: str) -> dict[str, int]:
    """The places that are counted through and lie open, and how many cards each holds, the one that fills it
    included; 0 where that is not said."""
    families = game_called(game).rules.places.families
    return {
        f"{family.name} {at}": family.holds[at - 1] if family.holds else 0
        for family in families
        if family.kind == "number" and family.sight not in (UNKNOWN, ALIKE)
        for at in range(1, family.room + 1)
    }


def rows_length(form: Layout) -> int:
    of_rows = len(OF_ROW) * len(declared_rows(form.game))
    return len(OF_CARD) * form.cards + of_rows + len(form.numbers)


def rows_of(form: Layout, deck: Deck, observations: Observation) -> Rows:
    """[..., length] becomes [..., rows_length]; in compiled code where there is any."""
    flat = np.ascontiguousarray(observations.reshape(-1, form.length))
    out = np.zeros((len(flat), rows_length(form)), np.float32)
    writer()(flat, form.cards, terms_of(form, deck), out)
    return out.reshape(*observations.shape[:-1], -1)


@cache
def writer() -> Any:
    from bullpen import fast

    if fast.missing_package():
        return write_all
    from bullpen.envs.compiled.rows import write_all as in_compiled_code

    return in_compiled_code


# -- Written once: run as it stands, or compiled ----------------------------------------------------


def write_all(observations, cards, terms, out):  # type: ignore[no-untyped-def]  # noqa: C901  (one function: it is compiled as it stands)
    """For each observation its cards, then its rows, then its numbers."""
    rows, of_card, of_row = terms.end_at.size - 1, 9, 3
    ends = np.zeros(rows + 1, np.int64)
    length, heads = np.zeros(cards + 1, np.int64), np.zeros(cards + 1, np.int64)
    full = np.zeros(cards + 1, np.int64)
    for index in range(observations.shape[0]):
        seen, to = observations[index], out[index]
        ends[:], length[:], heads[:], full[:] = 0, 0, 0, 0
        # Where rows end: the highest card in them, unless a number tells it.
        for card in range(1, terms.numbered + 1):
            row = terms.row_of_code[seen[card - 1]]
            if row > 0:
                ends[row] = card
        for row in range(1, rows + 1):
            if terms.end_at[row] >= 0:
                ends[row] = seen[terms.end_at[row]]
            if ends[row] > 0:
                full[ends[row]] = terms.full_at[row]
        for card in range(1, terms.numbered + 1):
            end = ends[terms.row_of_code[seen[card - 1]]]
            if terms.has_heaps and seen[cards + card - 1] > 0:
                end = np.int64(seen[cards + card - 1])
                full[end] = terms.full_at[0]
            if end > 0:
                length[end] += 1
                heads[end] += terms.heads[card]
        cheapest = -1
        for end in range(1, cards + 1):
            if length[end] > 0 and (cheapest < 0 or heads[end] < cheapest):
                cheapest = heads[end]
        met, between = 0, 0
        for card in range(1, cards + 1):
            at = (card - 1) * of_card
            to[at] = seen[card - 1] == terms.own
            to[at + 1] = seen[card - 1] == 0
            to[at + 2] = length[card] > 0
            to[at + 8] = max(cheapest, 0) / MANY  # too low for all of them
            if met > 0:
                to[at + 3] = 1.0
                to[at + 4] = (card - met) / cards
                to[at + 5] = between / cards
                to[at + 6] = length[met] / MANY
                to[at + 7] = heads[met] / MANY
                is_taken = full[met] > 0 and length[met] + 1 >= full[met]
                to[at + 8] = heads[met] / MANY if is_taken else 0.0
            if length[card] > 0:
                met, between = card, 0
            elif seen[card - 1] == 0:
                between += 1
        at = cards * of_card
        for row in range(1, rows + 1):
            end = ends[row]
            to[at] = end / cards
            to[at + 1] = length[end] / MANY if end > 0 else 0.0
            to[at + 2] = heads[end] / MANY if end > 0 else 0.0
            at += of_row
        first = seen.size - terms.scale.size
        for number in range(terms.scale.size):
            to[at + number] = seen[first + number] / terms.scale[number]
