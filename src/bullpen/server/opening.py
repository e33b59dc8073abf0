"""Between the start of a game and its first card: seats and commitments stand, and shares are opened."""

from __future__ import annotations

import asyncio

from bullpen.cards import Problem
from bullpen.fair import share_commitment
from bullpen.game import Seat
from bullpen.server.header import Header


class Opening:
    """Of one table.  What is open is kept in memory alone: after a crash everybody opens once more, and whoever
    fits a commitment that stands can only open the same share."""

    def __init__(self, table: str, header: Header) -> None:
        self.table = table
        self.commitments = {seat: one for seat, one in enumerate(header.commitments) if one}
        self.shares: dict[Seat, str] = {}
        self.all_open = asyncio.Event()
        self.is_closed = False

    def open(self, seat: Seat, share: str) -> None:
        if seat not in self.commitments:
            raise Problem("share_unknown")
        if share_commitment(self.table, seat, bytes.fromhex(share)) != self.commitments[seat]:
            raise Problem("share_wrong")
        if self.is_closed and seat not in self.shares:
            raise Problem("share_late")
        self.shares[seat] = share
        if len(self.shares) == len(self.commitments):
            self.all_open.set()

    async def wait(self, seconds: float) -> None:
        """Until every share is open, or for so long; then what is not open stays out."""
        try:
            async with asyncio.timeout(seconds):
                await self.all_open.wait()
        except TimeoutError:
            pass
        self.is_closed = True

    def put_into(self, header: Header) -> Header:
        seats = [
            taken.model_copy(update={"share": self.shares.get(seat)})
            for seat, taken in enumerate(header.seats)
        ]
        return header.model_copy(update={"seats": seats})
