"""The language of a request: as asked for, or as the browser says."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any
from urllib.parse import parse_qs

from bullpen.text import LANGUAGES


def language_of(scope: MutableMapping[str, Any]) -> str:
    told: bytes = scope.get("query_string", b"")
    query = parse_qs(told.decode("latin-1"))
    if (asked := query.get("lang", [""])[0]) in LANGUAGES:
        return asked
    headers: dict[bytes, bytes] = dict(scope["headers"])
    accepted = headers.get(b"accept-language", b"").decode("latin-1")
    for part in accepted.split(","):
        language = part.split(";")[0].strip().lower().partition("-")[0]
        if language in LANGUAGES:
            return language
    return "en"
