"""Deals of the day: days by UTC, and the chain of secrets by which all of them are fixed beforehand (docs/fair.md).

The secret of a day is the hash of the next day's.  So whoever knows one published hash can check every later day, and
nobody can tell tomorrow's secret from today's.

>>> tomorrow = bytes(range(32))
>>> today = earlier(tomorrow, 1)
>>> published = earlier(today, 1).hex()  # before today: the commitment of today
>>> fits(date(2026, 11, 18), tomorrow, Published(date(2026, 11, 17), published))
True
>>> fits(date(2026, 11, 18), bytes(32), Published(date(2026, 11, 17), published))
False
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256
from typing import NamedTuple

DAY = timedelta(days=1)
OF_A_DAY = re.compile("([0-9]{4}-[0-9]{2}-[0-9]{2})/[a-z0-9-]+")
FURTHEST = 365 * 200  # days between what was published and what is checked


class Published(NamedTuple):
    """What a server said beforehand: the hash of this day's secret."""

    day: date
    commitment: str


def today() -> date:
    return datetime.now(UTC).date()


def beginning(day: date) -> float:
    """In seconds, as clocks of computers count them."""
    return datetime.combine(day, time(), UTC).timestamp()


def deal_of(day: date | str, game: str) -> str:
    """What stands in place of a table in the deal: the same for everybody, another one for each game."""
    return f"{day}/{game}"


def day_of(table: str) -> date | None:
    """The day of a deal of the day; None where this names an ordinary table."""
    found = OF_A_DAY.fullmatch(table)
    return day_called(found[1]) if found else None


def day_called(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def earlier(secret: bytes, days: int) -> bytes:
    """The secret of so many days before."""
    for _ in range(days):
        secret = sha256(secret).digest()
    return secret


def fits(day: date, secret: bytes, published: Published) -> bool:
    """Whether this day's secret is the one that had been fixed when that hash was published."""
    days = (day - published.day).days
    return 0 <= days <= FURTHEST and earlier(secret, days + 1).hex() == published.commitment
