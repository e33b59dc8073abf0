"""The one door through which chance enters a served table."""

from __future__ import annotations

from random import Random

from bullpen import days
from bullpen.cards import Card
from bullpen.fair import SCHEME, Fairness, FairShuffler, OldFairness, counted
from bullpen.server.header import Header


class Dealer:
    """Shuffles by the table's secret and its people's shares, or by a practice table's seed."""

    def __init__(self, table: str, header: Header) -> None:
        self.table, self.header = table, header

    def shuffled(self, cards: list[Card], number: int) -> list[Card]:
        """The same number gives the same shuffle: one that was taken back comes again as it was."""
        header, mixed = self.header, list(cards)
        if header.practice is not None:
            Random(f"{header.practice}:{number}").shuffle(mixed)
            return mixed
        fair = fairness_of(self.table, header)
        FairShuffler(fair, header.rules.CARD_NAMES, number)(mixed)
        return mixed


def fairness_of(table: str, header: Header) -> Fairness | OldFairness:
    """What a table's shuffles follow from, the secret too; a table of an older server keeps to its scheme."""
    assert header.commitment is not None
    secret = bytes.fromhex(header.secret)
    if header.scheme != SCHEME:
        return OldFairness(header.commitment, secret, header.contributions)
    opened = [bytes.fromhex(seat.share) if seat.share else None for seat in header.seats]
    shares, unopened = counted(header.commitments, opened)
    dealt_for = days.deal_of(header.daily, header.game) if header.daily else table
    return Fairness(dealt_for, header.commitment, secret, header.commitments, shares, unopened)
