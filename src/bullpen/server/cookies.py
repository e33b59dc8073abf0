"""The two cookies of ours: whose seat it is, and which device."""

from __future__ import annotations

import re
from collections.abc import Iterable

SEAT, DEVICE = "seat", "device"
OURS = re.compile(r"[A-Za-z0-9_-]{1,100}")  # as we give them
Headers = Iterable[tuple[bytes, bytes]]


def without_strange_cookies(headers: Headers) -> list[tuple[bytes, bytes]]:
    """Only ours, and only as we give them: the framework reads all cookies with Python's own reader, which takes
    seconds for some texts."""
    kept = [(name, value) for name, value in headers if name != b"cookie"]
    found = [(name, cookie_of(headers, name)) for name in (SEAT, DEVICE)]
    ours = "; ".join(f"{name}={value}" for name, value in found if value is not None)
    return [*kept, (b"cookie", ours.encode())] if ours else kept


def cookie_of(headers: Headers, wanted: str) -> str | None:
    for header, value in headers:
        for pair in value.decode("latin-1").split(";") if header == b"cookie" else ():
            name, _, text = pair.strip().partition("=")
            if name == wanted and OURS.fullmatch(text):
                return text
    return None
