"""Which token opens which seat of one table.  In memory, so that it is answered at once: between looking
whose seat it is and acting for it, nobody else can sit down there."""

from __future__ import annotations

from collections.abc import Iterable
from hmac import compare_digest

from bullpen.game import Seat
from bullpen.server.store import Key, token_hash

SESSION, INVITE = "session", "invite"  # kinds of tokens


class Keys:
    """By their hashes, as the store has them; of a seat there is one."""

    def __init__(self, kept: Iterable[Key] = ()) -> None:
        self.of_seat: dict[Seat, str] = {}
        self.invitations: set[str] = set()
        for key in kept:
            self.give(key)

    def give(self, key: Key) -> None:
        if key.seat is None:
            self.invitations.add(key.hash)
        else:
            self.of_seat[key.seat] = key.hash

    def end(self, seat: Seat | None) -> None:
        """None: every invitation, as in the store."""
        if seat is None:
            self.invitations.clear()
        else:
            self.of_seat.pop(seat, None)

    def seat_of(self, token: str | None) -> Seat | None:
        """Compared with every seat, each time as long, so that nothing is learned from the time it takes."""
        if not token:
            return None
        sought, found = token_hash(token), None
        for seat, known in self.of_seat.items():
            if compare_digest(known, sought):
                found = seat
        return found

    def invites(self, token: str | None) -> bool:
        return token is not None and token_hash(token) in self.invitations
