"""What a single game can run on: its compiled twin, where there is one, or the plain rules."""

from __future__ import annotations

from bullpen import fast
from bullpen.games import part


def can_be_compiled(game: str) -> bool:
    """Whether its folder has a twin that can also observe."""
    return fast.missing_package() is None and hasattr(part(game, "twin"), "observe")
