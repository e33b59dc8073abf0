"""The language of a request: as asked for, or as the browser says."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Annotated, Any
from urllib.parse import parse_qs

from pydantic import StringConstraints

from bullpen.languages import LANGUAGES, first_spoken

LanguageCode = Annotated[str, StringConstraints(pattern=f"^({'|'.join(LANGUAGES)})$")]


def language_of(scope: MutableMapping[str, Any]) -> str:
    raw: bytes = scope.get("query_string", b"")
    query = parse_qs(raw.decode("latin-1"))
    if (wanted := query.get("lang", [""])[0]) in LANGUAGES:
        return wanted
    headers: dict[bytes, bytes] = dict(scope["headers"])
    accepted = headers.get(b"accept-language", b"").decode("latin-1")
    return first_spoken(best_first(accepted))


def best_first(accepted: str) -> list[str]:
    """`de;q=0.4, pl` says: rather Polish than German."""
    wishes = [part.partition(";") for part in accepted.split(",")]
    wanted = [(tag, weight(after)) for tag, _, after in wishes]
    return [tag for tag, much in sorted(wanted, key=lambda wish: -wish[1]) if much > 0]


def weight(after: str) -> float:
    name, _, value = after.strip().partition("=")
    try:
        return float(value) if name.strip() == "q" else 1.0
    except ValueError:
        return 0.0
