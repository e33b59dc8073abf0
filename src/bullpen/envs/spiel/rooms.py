"""Room for the positions of one game on its compiled twin, and the code that plays on in it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullpen import fast
from bullpen.cards import Card
from bullpen.envs.compiled import single
from bullpen.fast.compiling import straight
from bullpen.fast.playouts import LONGEST_DECK
from bullpen.game import Action, Game, Seat

AT_ONCE = 64

Block = NDArray[Any]  # of records
Next = tuple[Block, int, int, list[Action]]
"""Where a record lies, in which block and at which place; what comes there, as `single` numbers it; what is legal then."""


class Room:
    """Records lie in blocks: NumPy takes longer to make one than a game to be played on.

    Compiled code writes into the same few arrays each time; what it wrote is read at once.
    """

    def __init__(self, rules: Game[Any]) -> None:
        self._dtype = fast.twin(rules.ID).STATE
        self._block, self._used = np.empty(AT_ONCE, self._dtype), 0
        self._words = np.zeros(max(rules.NOTATION) // 64 + 1, np.uint64)
        self._actions = np.zeros(len(rules.NOTATION), np.int64)
        self._listed = memoryview(self._actions)  # quicker to read than an array
        block, words, actions = self._block, self._words, self._actions
        self._act = straight(single.act_in_copy, block, 0, block, 0, words, 0, 0, actions)

    def _place(self) -> tuple[Block, int]:
        """For one more record."""
        if self._used == AT_ONCE:
            self._block, self._used = np.empty(AT_ONCE, self._dtype), 0
        self._used += 1
        return self._block, self._used - 1

    def holding(self, record: Block) -> Next:
        comes = single.what_is_next(record)
        return record, 0, comes, self.legal(record, comes) if comes >= 0 else []

    def legal(self, record: Block, seat: Seat) -> list[Action]:
        count = single.write_legal(record, self._words, seat, self._actions)
        return self._listed[:count].tolist()

    def after_choice(self, block: Block, at: int, seat: Seat, action: Action) -> Next:
        to = self._used
        if to == AT_ONCE:
            self._block, to = np.empty(AT_ONCE, self._dtype), 0
        self._used = to + 1
        out = self._block
        comes, count = self._act(block, at, out, to, self._words, seat, action, self._actions)
        return out, to, comes, self._listed[:count].tolist()

    def after_deal(self, block: Block, at: int, cards: list[Card]) -> Next:
        out, to = self._place()
        deck = np.array(cards, np.int16)
        comes, count = single.deal_in_copy(
            block, at, out, to, self._words, deck, self._actions
        )
        return out, to, comes, self._listed[:count].tolist()

    def after_shuffle(self, block: Block, at: int, stream: Any) -> tuple[Next, list[Card]]:
        """Dealt from the stream, and the cards in their order."""
        out, to = self._place()
        deck = np.empty(LONGEST_DECK, np.int16)
        size, comes, count = single.deal_shuffled_in_copy(
            block, at, out, to, self._words, deck, stream, self._actions
        )
        return (out, to, comes, self._listed[:count].tolist()), deck[:size].tolist()

    def to_shuffle(self, record: Block) -> tuple[list[Card], int]:
        """The cards, and how many of them matter."""
        deck = np.empty(LONGEST_DECK, np.int16)
        count, matter = single.cards_to_shuffle(record, deck)
        return deck[:count].tolist(), matter
