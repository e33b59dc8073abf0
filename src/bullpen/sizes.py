"""How large a game is: the numbers of a rulebook that a mini game makes smaller.

Printed games have the sizes of their rulebooks.  A mini game is for study: the same rules with fewer cards, so
few that they can be solved.  Rules read `table.sizes`, and nothing else of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Sizes(NamedTuple):
    hand: int  # number cards dealt to each player
    rows: range
    full_at: int  # the card that fills a row; of rows that differ, the first one
    cards: range  # the number cards of the deck

    def as_options(self) -> dict[str, int]:
        """The four as options say them."""
        numbers = (self.hand, len(self.rows), self.full_at, len(self.cards))
        return dict(zip(NAMES, numbers, strict=True))


NAMES = Sizes._fields
NO_SIZES = Sizes(0, range(0), 0, range(0))  # of a game that has no mini games
LEAST = {"hand": 1, "rows": 1, "full_at": 2, "cards": 1}


def made_smaller(printed: Sizes, options: Mapping[str, object]) -> Sizes:
    """The sizes of a table: those printed, but for what its options say."""
    numbers = {name: options[name] for name in NAMES if name in options}
    if not numbers:
        return printed
    whole = printed.as_options() | {
        name: size for name, size in numbers.items() if isinstance(size, int)
    }
    rows, cards = range(1, whole["rows"] + 1), range(1, whole["cards"] + 1)
    return Sizes(whole["hand"], rows, whole["full_at"], cards)
