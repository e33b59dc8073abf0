"""Deals that anybody can check afterwards (docs/fair.md says it byte by byte).

Before the first card is dealt the server publishes the SHA-256 of a secret, and every player gives a
contribution.  Every shuffle follows from both; the secret is revealed at the end.  The server cannot
choose the deal, because it does not know the contributions when it commits itself to the secret; the
players cannot, because they do not know the secret.

>>> secret = bytes(range(32))
>>> shuffled([1, 2, 3, 4, 5], secret, ["Anna", "Bob"], 0)
[3, 1, 5, 2, 4]
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from secrets import token_bytes
from typing import Any, NamedTuple, TypeVar

from bullpen.cards import Card, Problem

SCHEME = "bullpen-fair-1"
SECRET_BYTES = 32
WORD = 2**32

Name = TypeVar("Name", int, str, int | str)


def new_secret() -> bytes:
    return token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """What is published before the game, and gives nothing away."""
    return sha256(secret).hexdigest()


def shuffled(
    cards: Sequence[Name], secret: bytes, contributions: Sequence[str], shuffle_number: int
) -> list[Name]:
    """The cards in dealing order, whatever order they come in: as a record writes them."""
    order = sorted(cards, key=written_order)
    numbers = words(secret, contributions, shuffle_number)
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1, numbers)
        order[last], order[other] = order[other], order[last]
    return order


def written_order(card: int | str) -> tuple[bool, int, str]:
    """Numbers first, ascending; then names, by their characters."""
    return (True, 0, card) if isinstance(card, str) else (False, card, "")


def words(secret: bytes, contributions: Sequence[str], shuffle_number: int) -> Iterator[int]:
    """Without end: numbers of 32 bits that nobody without the secret can tell from chance."""
    start = SCHEME.encode() + contributed(contributions) + shuffle_number.to_bytes(8, "big")
    block = 0
    while True:
        digest = hmac.digest(secret, start + block.to_bytes(8, "big"), "sha256")
        for at in range(0, len(digest), 4):
            yield int.from_bytes(digest[at : at + 4], "big")
        block += 1


def contributed(contributions: Sequence[str]) -> bytes:
    """All contributions as 32 bytes.  Each with its length: none can pass for a part of another."""
    texts = [text.encode() for text in contributions]
    told = b"".join(len(text).to_bytes(4, "big") + text for text in texts)
    return sha256(len(texts).to_bytes(4, "big") + told).digest()


def below(limit: int, numbers: Iterator[int]) -> int:
    """A number from 0, below the limit, each as likely: words that would favour some are left out."""
    fair = WORD - WORD % limit
    return next(number for number in numbers if number < fair) % limit


class FairShuffler:
    """Shuffles for a match.  After an undo set `number` to how many shuffles are left: a deal that was
    taken back comes again as it was."""

    def __init__(
        self,
        secret: bytes,
        contributions: Sequence[str],
        names: Mapping[Card, str],
        number: int = 0,
    ) -> None:
        self.secret, self.contributions, self.number = secret, contributions, number
        self.names = names  # of cards without a number, as records write them

    def __call__(self, cards: list[Card]) -> None:
        by_name: dict[int | str, Card] = {self.names.get(card, card): card for card in cards}
        order = shuffled(list(by_name), self.secret, self.contributions, self.number)
        cards[:] = [by_name[name] for name in order]
        self.number += 1


# -- In a record --------------------------------------------------------------------------------


class Fairness(NamedTuple):
    """What a record of a served game says about its shuffles."""

    commitment: str
    secret: bytes | None  # None: not revealed yet
    contributions: list[str]  # by seat; "" of a seat that gave none

    def as_json(self) -> dict[str, Any]:
        return {
            "scheme": SCHEME,
            "commitment": self.commitment,
            "secret": None if self.secret is None else self.secret.hex(),
            "contributions": list(self.contributions),
        }


def fairness(value: Any) -> Fairness:
    """The entry `fair` of a record."""
    match value:
        case {
            "scheme": "bullpen-fair-1",
            "commitment": str(published),
            "secret": str() | None as secret,
            "contributions": list(texts),
        } if len(value) == 4 and all(isinstance(text, str) for text in texts):
            try:
                for text in texts:
                    text.encode()
                revealed = None if secret is None else bytes.fromhex(secret)
            except ValueError:
                raise Problem("record_fair") from None
            if revealed is None or len(revealed) == SECRET_BYTES:
                return Fairness(published, revealed, texts)
    raise Problem("record_fair")


class Findings(NamedTuple):
    """What a check of the shuffles has shown."""

    secret_fits: bool  # the commitment
    shuffle_fits: list[bool]

    @property
    def is_fair(self) -> bool:
        return self.secret_fits and all(self.shuffle_fits)


def findings(fair: Fairness, shuffles: Sequence[Sequence[int | str]]) -> Findings | None:
    """None: as long as the secret is not revealed, nothing can be said."""
    if fair.secret is None:
        return None
    secret, contributions = fair.secret, fair.contributions
    return Findings(
        commitment(secret) == fair.commitment,
        [
            list(cards) == shuffled(cards, secret, contributions, number)
            for number, cards in enumerate(shuffles)
        ],
    )
