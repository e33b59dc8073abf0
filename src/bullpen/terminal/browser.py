"""Whether a browser can be shown to whoever started us."""

from __future__ import annotations

import os
import sys

GRAPHICAL = ("DISPLAY", "WAYLAND_DISPLAY")
FAR_AWAY = ("SSH_CONNECTION", "SSH_TTY")  # the window would open on the other machine


def has_display() -> bool:
    """Not in CI, and not over a bare connection."""
    if os.environ.get("CI") or any(os.environ.get(name) for name in FAR_AWAY):
        return False
    if sys.platform in ("darwin", "win32"):
        return True
    return any(os.environ.get(name) for name in GRAPHICAL)
