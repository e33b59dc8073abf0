"""Deals that anybody can check afterwards, and nobody could choose (docs/fair.md says it byte by byte).

Before anybody sits down the server publishes the SHA-256 of a secret.  Every player draws a share and
publishes only a hash of it; when all hashes stand, the shares are opened, and every shuffle follows from
the secret and all of them.  Nobody moves last: whoever opens a share has committed to it before any other
was open.  The secret is revealed at the end.

>>> secret, shares = bytes(range(32)), [bytes(32), None]
>>> hashes = [share_commitment("q3v7k2m9x4tz8w6n", 0, bytes(32)), None]
>>> fair = Fairness("q3v7k2m9x4tz8w6n", commitment(secret), secret, hashes, shares, [])
>>> shuffled([1, 2, 3, 4, 5], fair, 0)
[4, 5, 3, 1, 2]
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from secrets import token_bytes
from typing import Any, NamedTuple, TypeVar

from bullpen.cards import Card, Problem
from bullpen.game import Seat

SCHEME, OLD_SCHEME = "bullpen-fair-2", "bullpen-fair-1"
OF_A_SHARE, OF_ONE_UNOPENED = b"bullpen-fair-2/share", b"bullpen-fair-2/unopened"
SECRET_BYTES = 32
WORD = 2**32
HASH = re.compile("[0-9a-f]{64}")
TABLE = re.compile("[!-~]{1,64}")  # ids as servers give them, and a little more

Name = TypeVar("Name", int, str, int | str)


def new_secret() -> bytes:
    return token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """What the server publishes before the game, and gives nothing away."""
    return sha256(secret).hexdigest()


def share_commitment(table: str, seat: Seat, share: bytes) -> str:
    """What a player publishes.  The seat is in it: a copied one could not be opened by whoever copied it."""
    return sha256(OF_A_SHARE + sized(table.encode()) + number4(seat) + share).hexdigest()


def replacement(share_commitment: str) -> bytes:
    """What counts for a share that was not opened: fixed before anything was open."""
    return sha256(OF_ONE_UNOPENED + bytes.fromhex(share_commitment)).digest()


def number4(number: int) -> bytes:
    return number.to_bytes(4, "big")


def sized(data: bytes) -> bytes:
    """With its length: nothing can pass for a part of what stands beside it."""
    return number4(len(data)) + data


# -- What a deal follows from -------------------------------------------------------------------


class Fairness(NamedTuple):
    """What the shuffles of a served game follow from, as its record says it."""

    table: str
    commitment: str
    secret: bytes | None  # None: not revealed yet
    commitments: Sequence[str | None]  # by seat; None: this seat has no share (a bot, for instance)
    shares: Sequence[bytes | None]  # by seat, as they counted
    unopened: Sequence[Seat]  # whose share was replaced

    def key(self) -> tuple[bytes, bytes]:
        """Of all words of the game, and what every message begins with."""
        assert self.secret is not None
        committed = [bytes.fromhex(one) if one else b"" for one in self.commitments]
        agreed = [
            SCHEME.encode(),
            bytes.fromhex(self.commitment),
            sized(self.table.encode()),
            number4(len(committed)),
            *(sized(one) for one in committed),
            *(sized(share or b"") for share in self.shares),
        ]
        return hmac.digest(self.secret, b"".join(agreed), "sha256"), b""

    def as_json(self) -> dict[str, Any]:
        return {
            "scheme": SCHEME,
            "table": self.table,
            "commitment": self.commitment,
            "secret": None if self.secret is None else self.secret.hex(),
            "commitments": list(self.commitments),
            "shares": [None if share is None else share.hex() for share in self.shares],
            "unopened": list(self.unopened),
        }


class OldFairness(NamedTuple):
    """The same of games by the older scheme: contributions were texts that everybody gave in clear, so the
    last one to give one, if the secret was known to them, could choose the deal."""

    commitment: str
    secret: bytes | None
    contributions: Sequence[str]  # by seat; "" of a seat that gave none

    def key(self) -> tuple[bytes, bytes]:
        assert self.secret is not None
        texts = [sized(text.encode()) for text in self.contributions]
        joined = sha256(number4(len(texts)) + b"".join(texts)).digest()
        return self.secret, OLD_SCHEME.encode() + joined

    def as_json(self) -> dict[str, Any]:
        return {
            "scheme": OLD_SCHEME,
            "commitment": self.commitment,
            "secret": None if self.secret is None else self.secret.hex(),
            "contributions": list(self.contributions),
        }


def counted(
    commitments: Sequence[str | None], opened: Sequence[bytes | None]
) -> tuple[list[bytes | None], list[Seat]]:
    """The shares as they count, and the seats whose share was not opened and is replaced."""
    shares = [
        share or (replacement(promised) if promised else None)
        for promised, share in zip(commitments, opened, strict=True)
    ]
    unopened = [seat for seat, share in enumerate(shares) if share and not opened[seat]]
    return shares, unopened


# -- The shuffle --------------------------------------------------------------------------------


def shuffled(
    cards: Sequence[Name], fair: Fairness | OldFairness, shuffle_number: int
) -> list[Name]:
    """The cards in dealing order, whatever order they come in: as a record writes them."""
    order = sorted(cards, key=written_order)
    numbers = words(*fair.key(), shuffle_number)
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1, numbers)
        order[last], order[other] = order[other], order[last]
    return order


def written_order(card: int | str) -> tuple[bool, int, str]:
    """Numbers first, ascending; then names, by their characters."""
    return (True, 0, card) if isinstance(card, str) else (False, card, "")


def words(key: bytes, beginning: bytes, shuffle_number: int) -> Iterator[int]:
    """Without end: numbers of 32 bits that nobody without the key can tell from chance."""
    start = beginning + shuffle_number.to_bytes(8, "big")
    block = 0
    while True:
        digest = hmac.digest(key, start + block.to_bytes(8, "big"), "sha256")
        for at in range(0, len(digest), 4):
            yield int.from_bytes(digest[at : at + 4], "big")
        block += 1


def below(limit: int, numbers: Iterator[int]) -> int:
    """A number from 0, below the limit, each as likely: words that would favour some are left out."""
    fair = WORD - WORD % limit
    return next(number for number in numbers if number < fair) % limit


class FairShuffler:
    """Shuffles for a match.  After an undo set `number` to how many shuffles are left: a deal that was
    taken back comes again as it was."""

    def __init__(
        self, fair: Fairness | OldFairness, names: Mapping[Card, str], number: int = 0
    ) -> None:
        self.fair, self.number = fair, number
        self.names = names  # of cards without a number, as records write them

    def __call__(self, cards: list[Card]) -> None:
        by_name: dict[int | str, Card] = {self.names.get(card, card): card for card in cards}
        order = shuffled(list(by_name), self.fair, self.number)
        cards[:] = [by_name[name] for name in order]
        self.number += 1


# -- In a record --------------------------------------------------------------------------------


def fairness(value: Any, seats: int) -> Fairness | OldFairness:
    """The entry `fair` of a record of so many players."""
    try:
        match value:
            case {"scheme": "bullpen-fair-2"} if len(value) == 7:
                return read_fairness(value, seats)
            case {"scheme": "bullpen-fair-1"} if len(value) == 4:
                return read_old_fairness(value)
    except (AttributeError, KeyError, TypeError, ValueError):
        pass
    raise Problem("record_fair")


def read_fairness(value: dict[str, Any], seats: int) -> Fairness:
    commitments, shares = value["commitments"], value["shares"]
    unopened, table = value["unopened"], value["table"]
    if not all(isinstance(one, list) for one in (commitments, shares, unopened)):
        raise TypeError
    if len(commitments) != seats or len(shares) != seats or not TABLE.fullmatch(table):
        raise ValueError
    committed = [seat for seat, one in enumerate(commitments) if one is not None]
    if [type(seat) for seat in unopened] != [int] * len(unopened):
        raise TypeError
    if unopened != sorted(set(unopened) & set(committed)):
        raise ValueError
    if committed != [seat for seat, share in enumerate(shares) if share is not None]:
        raise ValueError
    return Fairness(
        table,
        hashed(value["commitment"]),
        revealed(value["secret"]),
        [one if one is None else hashed(one) for one in commitments],
        [revealed(share) for share in shares],
        unopened,
    )


def read_old_fairness(value: dict[str, Any]) -> OldFairness:
    texts, published = value["contributions"], value["commitment"]
    if not isinstance(texts, list) or not isinstance(published, str):
        raise TypeError
    for text in texts:
        str.encode(text)
    return OldFairness(published, revealed(value["secret"]), texts)


def hashed(text: str) -> str:
    if not HASH.fullmatch(text):
        raise ValueError
    return text


def revealed(text: str | None) -> bytes | None:
    return None if text is None else bytes.fromhex(hashed(text.lower()))


class Findings(NamedTuple):
    """What a check of the shuffles has shown."""

    secret_fits: bool  # the commitment
    share_fits: dict[
        Seat, bool
    ]  # what was committed to; where it was not opened, the rule for that
    shuffle_fits: list[bool]

    @property
    def is_fair(self) -> bool:
        return self.secret_fits and all(self.share_fits.values()) and all(self.shuffle_fits)


def findings(
    fair: Fairness | OldFairness, shuffles: Sequence[Sequence[int | str]]
) -> Findings | None:
    """None: as long as the secret is not revealed, nothing can be said."""
    if fair.secret is None:
        return None
    return Findings(
        commitment(fair.secret) == fair.commitment,
        shares_fit(fair) if isinstance(fair, Fairness) else {},
        [list(cards) == shuffled(cards, fair, number) for number, cards in enumerate(shuffles)],
    )


def shares_fit(fair: Fairness) -> dict[Seat, bool]:
    return {
        seat: share == replacement(promised)
        if seat in fair.unopened
        else share_commitment(fair.table, seat, share) == promised
        for seat, (promised, share) in enumerate(zip(fair.commitments, fair.shares, strict=True))
        if promised is not None and share is not None
    }
