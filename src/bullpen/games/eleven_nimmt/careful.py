"""11 nimmt!: be rid of cards, above all of heads, and get one bull card early.

Playing a card is worth the card and its heads; with a bull card it is worth all the cards that can
follow on the same stack.  Taking a stack costs what lies in it, as far as one remembers, but the first
bull card is worth a dozen cards, even to a player who could play.  Besides, it is good to keep cards
that will fit on the stacks as they then are.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bullpen.bots.likelihood import cheapest
from bullpen.cards import Card
from bullpen.game import Action, View
from bullpen.games.eleven_nimmt.rules import (
    BIG_STACK,
    CHOOSING_BULL,
    END,
    FURTHEST,
    HAND,
    PLAY,
    PLAY_ON,
    STACK,
    TAKE,
    Table,
    below,
    steps,
)

A_CARD, A_HEAD = 1, 0.3
FIRST_BULL_CARD, FURTHER_BULL_CARD = 12, 1
A_FITTING_CARD = 0.2  # kept in the hand
ENDING_EARLY = 0.5


def choose(view: View[Table], rng: Random) -> Action:
    table, seat = view.table, view.seat
    assert seat is not None
    if table.phase == CHOOSING_BULL:
        return rng.choice(view.legal)
    hand, stacks = view.remembered[HAND + seat], view.remembered[STACK:]
    bulls, heads = table.bulls[seat], table.deck.heads

    def cost(action: Action) -> float:
        if action == END:
            return ENDING_EARLY
        if action > TAKE:
            return cost_of_taking(hand, stacks, action - TAKE, bulls, heads)
        return cost_of_playing(hand, stacks, action, bulls, heads)

    return cheapest(view.legal, cost, rng)


def burden(cards: Sequence[Card], heads: Sequence[int]) -> float:
    return sum([A_CARD + A_HEAD * heads[card] for card in cards])


def fitting(cards: Sequence[Card], tops: set[Card]) -> float:
    return A_FITTING_CARD * sum([not tops.isdisjoint(PLAY_ON[card]) for card in cards])


def cost_of_taking(
    hand: tuple[Card, ...],
    stacks: Sequence[tuple[Card, ...]],
    top: Card,
    bulls: int,
    heads: Sequence[int],
) -> float:
    (taken,) = [stack for stack in stacks if stack[-1] == top]
    cost = burden(taken, heads)
    if len(taken) >= BIG_STACK:
        cost -= FURTHER_BULL_CARD if bulls else FIRST_BULL_CARD
    return cost - fitting(hand + taken, {stack[-1] for stack in stacks} - {top})


def cost_of_playing(
    hand: tuple[Card, ...],
    stacks: Sequence[tuple[Card, ...]],
    action: Action,
    bulls: int,
    heads: Sequence[int],
) -> float:
    """Below zero: being rid of cards is a gain."""
    card, far = divmod(action - PLAY, FURTHEST)
    name = below(card, far + 1)
    gone = [card]
    if bulls:
        gone = [other for other in hand if far < steps(other, name) <= FURTHEST]
    kept = [other for other in hand if other not in gone]
    new_top = max(gone, key=lambda other: steps(other, name))
    tops = {stack[-1] for stack in stacks} - {name} | {new_top}
    return -burden(gone, heads) - fitting(kept, tops)
