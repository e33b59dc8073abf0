"""Hornochsen!: finish green rows, leave red ones to the others.

Everything that can be done in this turn is weighed: each single card, and each row that the hand can
finish, with the special cards before it where they fit into the turn.  What is weighed is the pile as it
would then stand, and the rows that would then lie there:
- a row that counts below zero is bad as far as the own hand holds the cards that must go there, and
  otherwise good, since somebody else will have to take it;
- a row that counts above zero is good if the hand can finish it and few others can come first, and
  bad if the others can finish it;
- the nearer a row is to its five cards, the more this counts.
Special cards are kept for rows that are worth it, until the hand runs out.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import exp
from random import Random
from typing import NamedTuple

from bullpen.bots.likelihood import cheapest, others_may_hold
from bullpen.cards import Card
from bullpen.game import Action, View
from bullpen.games.hornochsen.rules import (
    ALL_PLUS5,
    ALL_X2,
    CARDS_A_TURN,
    HAND,
    LAST_NUMBER,
    NUMBERS,
    PILE,
    PLAY,
    PLUS5_ON,
    ROW,
    STOP,
    X2_ON,
    Table,
)

PLUS5_HEADS = 5
HOPED_FOR = 4 / 14  # heads that a card in the hand will still bring: what an x2 will double
A_CARD_FURTHER_OFF = 0.6  # how much less a row counts for each card that it misses
LEFT_TO_OTHERS = 0.3  # what others take counts so much, the other way round
FINISHED_LATER = 0.4  # how likely the hand can finish a row in a later turn, if nobody comes first
OTHERS_COME_FIRST = 1.5
FORCED = 0.6  # how likely somebody is forced to take a bad row as it lies
NOBODY = 0.5  # or nobody is: as if so many cards lay in no hand


class Row(NamedTuple):
    end: Card
    missing: int  # number cards, until it is full
    heads: int  # with those of a +5
    doubles: bool


class Prospect(NamedTuple):
    """What lies before this seat, now or after some cards of the turn."""

    rows: list[Row]  # by their end values
    hand: list[Card]  # number cards
    specials: int
    heads: int  # in the pile
    doublings: int


class Others(NamedTuple):
    """What other players may hold."""

    cards: list[Card]
    share: float  # of these cards that they do hold


def choose(view: View[Table], rng: Random) -> Action:
    table, heads = view.table, view.table.deck.heads
    now, others = prospect(view), held_by_others(view)
    hope = HOPED_FOR * len(now.hand)
    singles = [(action,) for action in view.legal]
    finishes = finishing_turns(now, view.legal, CARDS_A_TURN - table.played, heads)

    def cost(turn: Sequence[Action]) -> float:
        then = now
        for action in turn:
            then = after(then, action, heads)
        return -worth(then, others, hope)

    return cheapest([*singles, *finishes], cost, rng)[0]


# -- What lies there --------------------------------------------------------------------------


def prospect(view: View[Table]) -> Prospect:
    heads, lying, seat = view.table.deck.heads, view.remembered, view.seat
    assert seat is not None
    rows = []
    for cards in lying[ROW:]:
        numbers = numbers_in(cards)
        worth = heads_on(cards, heads)
        missing = view.table.sizes.full_at - len(numbers)
        rows.append(Row(numbers[-1], missing, worth, not ALL_X2.isdisjoint(cards)))
    hand, pile = lying[HAND + seat], lying[PILE + seat]
    numbers = numbers_in(hand)
    doublings = len(ALL_X2.intersection(pile))
    return Prospect(
        sorted(rows), numbers, len(hand) - len(numbers), heads_on(pile, heads), doublings
    )


def numbers_in(cards: Sequence[Card]) -> list[Card]:
    return [card for card in cards if card <= LAST_NUMBER]


def heads_on(cards: Sequence[Card], heads: Sequence[int]) -> int:
    return sum(
        [heads[c] if c <= LAST_NUMBER else PLUS5_HEADS if c in ALL_PLUS5 else 0 for c in cards]
    )


def held_by_others(view: View[Table]) -> Others:
    hands = [HAND + seat for seat in range(view.table.seats) if seat != view.seat]
    cards = others_may_hold(view.remembered, NUMBERS, hands)
    held = sum([len(numbers_in(view.remembered[hand])) for hand in hands])
    return Others(cards, held / max(1, len(cards)))


# -- What can be done -------------------------------------------------------------------------


def after(now: Prospect, action: Action, heads: Sequence[int]) -> Prospect:
    if action == STOP:
        return now
    if action <= X2_ON:
        return after_card(now, action - PLAY, heads)
    end = action - (X2_ON if action <= PLUS5_ON else PLUS5_ON)
    at = [row.end for row in now.rows].index(end)
    rows, row = now.rows[:], now.rows[at]
    if action <= PLUS5_ON:
        rows[at] = row._replace(doubles=True)
    else:
        rows[at] = row._replace(heads=row.heads + PLUS5_HEADS)
    return now._replace(rows=rows, specials=now.specials - 1)


def after_card(now: Prospect, card: Card, heads: Sequence[int]) -> Prospect:
    """HO-8, HO-9, HO-12: on the nearest lower row, or else the highest; a full row is taken."""
    at = bisect([row.end for row in now.rows], card) - 1
    row = now.rows[at]
    rows, total = [other for other in now.rows if other is not row], row.heads + heads[card]
    hand = [other for other in now.hand if other != card]
    if row.missing == 1:
        doublings = now.doublings + row.doubles
        return Prospect(rows, hand, now.specials, now.heads + total, doublings)
    rows = sorted([*rows, Row(card, row.missing - 1, total, row.doubles)])
    return Prospect(rows, hand, now.specials, now.heads, now.doublings)


def finishing_turns(
    now: Prospect, legal: Sequence[Action], cards_left: int, heads: Sequence[int]
) -> Iterator[tuple[Action, ...]]:
    """The rows that this hand can finish in this turn, with or without special cards first."""
    ends = [row.end for row in now.rows]
    for row, next_end in zip(now.rows, [*ends[1:], LAST_NUMBER + 1], strict=True):
        missing = row.missing
        reach = now.hand[bisect(now.hand, row.end) : bisect(now.hand, next_end)]
        if missing > min(cards_left, len(reach)):
            continue
        greenest = sorted(reach, key=lambda card: -heads[card])[:missing]
        finish = tuple(PLAY + card for card in sorted(greenest))
        specials = [on + row.end for on in (PLUS5_ON, X2_ON) if on + row.end in legal]
        for count in range(min(cards_left - missing, len(specials)) + 1):
            for first in combinations(specials, count):
                yield (*first, *finish)


# -- What it is worth -------------------------------------------------------------------------


def worth(then: Prospect, others: Others, hope: float) -> float:
    standing = (then.heads + hope) * (1 << then.doublings)
    value = standing + then.specials * special_in_hand(len(then.hand))
    if not then.rows:
        return value
    own, theirs = reaches(then.hand, then.rows), reaches(others.cards, then.rows)
    for row, cards, their_cards in zip(then.rows, own, theirs, strict=True):
        taken = (then.heads + row.heads + hope) * (1 << then.doublings + row.doubles)
        value += row_worth(row, taken - standing, cards, their_cards * others.share)
    return value


def special_in_hand(numbers: int) -> float:
    """Worth keeping for a good row, as long as there are number cards to finish one (HO-16)."""
    if numbers > 2:
        return 2
    return -6 if numbers else -10


def reaches(cards: Sequence[Card], rows: Sequence[Row]) -> list[int]:
    """For each row, how many of these cards would go there now."""
    below = [bisect(cards, row.end) for row in rows]
    return [
        high - low for low, high in zip(below, [*below[1:], len(cards) + below[0]], strict=True)
    ]


def row_worth(row: Row, gain: float, own: int, theirs: float) -> float:
    """What a row promises or threatens, if taking it as it lies would bring this gain."""
    missing = row.missing
    near = A_CARD_FURTHER_OFF ** (missing - 1)
    if gain < 0:
        if own == 0:
            return -LEFT_TO_OTHERS * near * gain
        return FORCED * near * gain * own / (own + theirs + NOBODY)
    value = -LEFT_TO_OTHERS * near * gain * (1 - exp(-theirs))
    if missing <= min(own, CARDS_A_TURN):
        value += FINISHED_LATER * near * gain * exp(-OTHERS_COME_FIRST * near * theirs)
    return value
