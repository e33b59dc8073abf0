"""Cards and the places where they lie.

A card is a number; special, bull and zero cards have numbers above the number cards.  The state of
play of every game is *where the cards lie*: `table.lying[place]` is the tuple of cards in a place, in
the order in which they lie there.  A view is the same list with some cards turned down (`UNSEEN`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from random import Random
from typing import Any

Card = int
Place = int
Lying = list[tuple[Card, ...]]  # by place: the cards that lie there, in their order

UNSEEN: Card = 0  # in a view: a card whose face one may not see


class Problem(ValueError):
    """Bad input: a key that `text.py` turns into a sentence, and the facts that it needs."""

    def __init__(self, key: str, /, **facts: Any) -> None:
        self.key, self.facts = key, facts
        shown = ", ".join(f"{name} {value}" for name, value in facts.items())
        super().__init__(f"{key.replace('_', ' ')} ({shown})" if shown else key.replace("_", " "))

    def __str__(self) -> str:
        """The sentence, where there is one, and the key: what a traceback ends with is read by people."""
        # By name, because the sentences lie in a layer above, and nothing here depends on them.
        voice = import_module("bullpen.text").voice("en")
        try:
            return f"{voice.problem(self)} ({self.key.replace('_', ' ')})"
        except LookupError:  # a kind of problem that has its words elsewhere
            return super().__str__()


def empty_places(count: int) -> Lying:
    return [()] * count


def without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def mask(cards: Iterable[Card]) -> int:
    """A set of cards as one number; a table keeps in one such number which cards all have seen."""
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


# -- Hidden cards -----------------------------------------------------------------------------


# By how many they are: views are made of these by the dozen, and no game has more cards than this.
FACE_DOWN = [(UNSEEN,) * count for count in range(256)]


def turned_down(cards: Sequence[Card]) -> tuple[Card, ...]:
    return FACE_DOWN[len(cards)]


def as_remembered(cards: Sequence[Card], seen: int) -> tuple[Card, ...]:
    """A hidden hand or pile as a perfect memory knows it: the cards seen before, then the others."""
    if not seen:
        return turned_down(cards)
    known = sorted(card for card in cards if seen >> card & 1)
    return (*known, *turned_down(cards[len(known) :]))


def hide_hand(shown: Lying, remembered: Lying, hand: Place, seen: int) -> None:
    remembered[hand] = as_remembered(remembered[hand], seen)
    shown[hand] = turned_down(shown[hand])


def hide_choice(shown: Lying, remembered: Lying, hand: Place, laid: Place, seen: int) -> None:
    """Hide a hand and the card chosen secretly from it.  A card lying face down still counts as in the
    hand that one remembers: otherwise laying a card that all have seen would tell which one it is."""
    remembered[hand], remembered[laid] = remembered[hand] + remembered[laid], ()
    shown[laid] = turned_down(shown[laid])
    hide_hand(shown, remembered, hand, seen)


def dealt_at_random(remembered: Lying, cards: Iterable[Card], rng: Random) -> Lying:
    """Every unseen card replaced by one of the cards that lie nowhere in sight."""
    in_sight = {card for place in remembered for card in place}
    unseen = [card for card in cards if card not in in_sight]
    rng.shuffle(unseen)
    return [tuple([card or unseen.pop() for card in place]) for place in remembered]


def choose_at_random(
    lying: Lying, shown: Lying, hand: Place, laid: Place, rng: Random, never: Sequence[Card] = ()
) -> None:
    """The other way round of `hide_choice`: some card of the hand is the one that lies face down."""
    if shown[laid] == (UNSEEN,):
        card = rng.choice([card for card in lying[hand] if card not in never])
        lying[hand], lying[laid] = without(lying[hand], card), (card,)
