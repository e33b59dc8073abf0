"""What an HTTP request is answered that cannot be served."""

from __future__ import annotations

from typing import Any

from bullpen.cards import Problem


class Refused(Problem):
    """A request that cannot be served, with the HTTP status that says so."""

    def __init__(self, status: int, key: str, /, **facts: Any) -> None:
        super().__init__(key, **facts)
        self.status = status


class Gone(Refused):
    """The table is not kept here any more: closed, or kept by another server.  Whoever asks again finds out."""

    def __init__(self, table: str) -> None:
        super().__init__(503, "table_elsewhere", table=table)
