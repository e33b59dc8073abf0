"""The JSON schema of all messages, for checks and for types in other languages."""

from __future__ import annotations

from functools import cache
from typing import Any

from bullpen.server.messages import VERSION
from bullpen.server.wire.client_messages import CLIENT_MESSAGE
from bullpen.server.wire.server_messages import SERVER_MESSAGE


@cache
def wire_schema() -> dict[str, Any]:
    return {
        "version": VERSION,
        "client": CLIENT_MESSAGE.json_schema(),
        "server": SERVER_MESSAGE.json_schema(),
    }
