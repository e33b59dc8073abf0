"""`bullpen serve`: a server for tables over the network."""

from __future__ import annotations

import sys
from typing import Any

from bullpen.cards import Problem
from bullpen.text import Voice


def serve(voice: Voice, wished: dict[str, str | None]) -> int:
    """Flags come before the environment, and that before what is usual."""
    try:
        from bullpen.server.serving import run
        from bullpen.server.settings import Settings, from_environment, read
    except ModuleNotFoundError as error:
        raise Problem("server_missing", package=error.name) from None
    given: dict[str, Any] = {
        name: read(name, text) for name, text in wished.items() if text is not None
    }
    settings = Settings(**{**from_environment(), **given})
    where = f"{settings.host}:{settings.port}"
    print(
        voice.say("server.serve.ready", where=where, db=without_password(settings.db)),
        file=sys.stderr,
    )
    run(settings)
    return 0


def without_password(url: str) -> str:
    scheme, _, rest = url.partition("://")
    user, at, place = rest.rpartition("@")
    return f"{scheme}://{user.partition(':')[0]}{at}{place}" if at else url
