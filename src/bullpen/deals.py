"""The deals of a game: all ways in which the cards of a shuffle can come to lie, where these can be listed.

The order of a hand makes no difference, so of the many shuffles that deal the same hands one stands for all.
What is dealt together is a packet; a game's folder says how large its packets are (`packets`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

from bullpen.cards import Card
from bullpen.game import Game
from bullpen.games import package


def packets_of(game: Game[Any], table: Any) -> tuple[int, ...] | None:
    """How many cards are dealt together, packet by packet; None where the order of every card matters."""
    packets = getattr(package(game.ID), "packets", None)
    return None if packets is None else tuple(packets(table))


def count_deals(cards: int, packets: Sequence[int]) -> int:
    """How many deals there are; all are as likely."""
    deals = 1
    for size in packets:
        deals *= comb(cards, size)
        cards -= size
    return deals


def nth_deal(cards: Sequence[Card], packets: Sequence[int], number: int) -> list[Card]:
    """The shuffle that stands for one of the deals, counted from 0; what is not dealt lies behind."""
    left, dealt = list(cards), list[Card]()
    for size in packets:
        number, which = divmod(number, comb(len(left), size))
        packet = nth_packet(left, size, which)
        dealt += packet
        left = [card for card in left if card not in packet]
    return [*dealt, *left]


def nth_packet(cards: Sequence[Card], size: int, number: int) -> list[Card]:
    """One of the ways to take so many cards, in the order of their numbers."""
    packet = list[Card]()
    for at, card in enumerate(cards):
        if len(packet) == size:
            break
        with_it = comb(len(cards) - at - 1, size - len(packet) - 1)
        if number < with_it:
            packet.append(card)
        else:
            number -= with_it
    return packet
