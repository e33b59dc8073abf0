"""The one door through which chance enters a served table."""

from __future__ import annotations

from random import Random

from bullpen.cards import Card
from bullpen.fair import FairShuffler
from bullpen.server.header import Header


class Dealer:
    """Shuffles by the table's secret and its people's contributions, or by a practice table's seed."""

    def __init__(self, header: Header) -> None:
        self.header = header

    def shuffled(self, cards: list[Card], number: int) -> list[Card]:
        """The same number gives the same shuffle: one that was taken back comes again as it was."""
        header, mixed = self.header, list(cards)
        if header.practice is not None:
            Random(f"{header.practice}:{number}").shuffle(mixed)
            return mixed
        names = header.rules.CARD_NAMES
        secret = bytes.fromhex(header.secret)
        FairShuffler(secret, header.contributions, names, number)(mixed)
        return mixed
