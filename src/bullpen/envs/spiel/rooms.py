"""Room for the positions of one game on its compiled twin, and the code that plays on in it."""

from __future__ import annotations

from threading import local
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
Deck = NDArray[np.int16]
Next = tuple[int, list[Action]]  # what comes, as `single` numbers it, and what is legal then


class Rooms(local):
    """One for each thread: compiled code writes into the same few arrays each time."""

    def __init__(self, rules: Game[Any]) -> None:
        self.here = Room(rules)


class Room:
    """Records lie in blocks: NumPy takes longer to make one than a game to be played on."""

    def __init__(self, rules: Game[Any]) -> None:
        self._dtype = fast.twin(rules.ID).STATE
        self.block, self.used = np.empty(AT_ONCE, self._dtype), 0
        self.words = np.zeros(max(rules.NOTATION) // 64 + 1, np.uint64)
        self.actions = np.zeros(len(rules.NOTATION), np.int64)
        self.listed = self.actions.data  # quicker to read than an array
        block, words, actions = self.block, self.words, self.actions
        self.act = straight(single.act_in_copy, block, 0, block, 0, words, 0, 0, actions)

    def place(self) -> int:
        """In the block, for one more record."""
        used = self.used
        if used == AT_ONCE:
            self.block, used = np.empty(AT_ONCE, self._dtype), 0
        self.used = used + 1
        return used

    def what_is_next(self, record: Block) -> Next:
        comes = single.what_is_next(record)
        return comes, self.legal(record, comes) if comes >= 0 else []

    def legal(self, record: Block, seat: Seat) -> list[Action]:
        count = single.write_legal(record, self.words, seat, self.actions)
        return self.listed[:count].tolist()

    def deal(self, block: Block, at: int, to: int, cards: list[Card]) -> Next:
        deck = np.array(cards, np.int16)
        comes, count = single.deal_in_copy(
            block, at, self.block, to, self.words, deck, self.actions
        )
        return comes, self.listed[:count].tolist()

    def deal_shuffled(self, block: Block, at: int, to: int, stream: Any) -> tuple[Next, Deck]:
        """From the stream; also the deck in its new order."""
        deck = np.empty(LONGEST_DECK, np.int16)
        comes, count = single.deal_shuffled_in_copy(
            block, at, self.block, to, self.words, deck, stream, self.actions
        )
        return (comes, self.listed[:count].tolist()), deck

    def to_shuffle(self, record: Block) -> tuple[list[Card], int]:
        """The cards, and how many of them matter."""
        deck = np.empty(LONGEST_DECK, np.int16)
        count, matter = single.cards_to_shuffle(record, deck)
        return deck[:count].tolist(), matter
