"""Room for the positions of one game on its compiled twin, and the code that plays on in it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullpen import fast
from bullpen.envs.compiled import single
from bullpen.fast.compiling import straight
from bullpen.fast.playouts import LONGEST_DECK
from bullpen.game import Action, Game, Seat

AT_ONCE = 64

Record = NDArray[Any]  # of one record
Next = tuple[Record, int, list[Action]]  # what comes, as `single` numbers it, and the legal actions then


class Room:
    """Records are handed out one by one, from blocks: NumPy takes longer to make one than a game to be played on.

    Compiled code writes into the same few arrays each time; what it wrote is read at once.
    """

    def __init__(self, rules: Game[Any]) -> None:
        self._dtype = fast.twin(rules.ID).STATE
        self._free: list[Record] = []
        self._words = np.zeros(max(rules.NOTATION) // 64 + 1, np.uint64)
        self._actions = np.zeros(len(rules.NOTATION), np.int64)
        self._listed = memoryview(self._actions)  # quicker to read than an array
        record = self._record()
        self._act = straight(single.act_in_copy, record, record, self._words, 0, 0, self._actions)

    def _record(self) -> Record:
        if not self._free:
            block = np.empty(AT_ONCE, self._dtype)
            self._free = [block[at : at + 1] for at in range(AT_ONCE)]
        return self._free.pop()

    def looked_at(self, record: Record) -> Next:
        """A record as it is."""
        comes = single.what_is_next(record)
        return record, comes, self.legal(record, comes) if comes >= 0 else []

    def legal(self, record: Record, seat: Seat) -> list[Action]:
        count = single.write_legal(record, self._words, seat, self._actions)
        return self._listed[:count].tolist()

    def after_choice(self, record: Record, seat: Seat, action: Action) -> Next:
        after = self._record()
        comes, count = self._act(record, after, self._words, seat, action, self._actions)
        return after, comes, self._listed[:count].tolist()

    def after_deal(self, record: Record, cards: list[int]) -> Next:
        after, deck = self._record(), np.array(cards, np.int16)
        comes, count = single.deal_in_copy(record, after, self._words, deck, self._actions)
        return after, comes, self._listed[:count].tolist()

    def after_shuffle(self, record: Record, stream: Any) -> tuple[Next, list[int]]:
        """Dealt from the stream, and the cards in their order."""
        after, deck = self._record(), np.empty(LONGEST_DECK, np.int16)
        size, comes, count = single.deal_shuffled_in_copy(
            record, after, self._words, deck, stream, self._actions
        )
        return (after, comes, self._listed[:count].tolist()), deck[:size].tolist()

    def to_shuffle(self, record: Record) -> tuple[list[int], int]:
        """The cards, and how many of them matter."""
        deck = np.empty(LONGEST_DECK, np.int16)
        count, matter = single.cards_to_shuffle(record, deck)
        return deck[:count].tolist(), matter
