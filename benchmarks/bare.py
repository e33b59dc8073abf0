"""The least that a server of tables can do, to compare with: what one seat says is told to all, in plain Starlette.

    python -m benchmarks.bare PORT

Nothing is stored, there are no rules and no views.  `benchmarks.load` starts it.
"""

from __future__ import annotations

import sys
from collections import defaultdict

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

tables: defaultdict[str, list[WebSocket]] = defaultdict(list)


async def sit(seat: WebSocket) -> None:
    await seat.accept()
    seats = tables[seat.path_params["table"]]
    seats.append(seat)
    try:
        while True:
            said = await seat.receive_text()
            for other in seats:
                await other.send_text(said)
    except WebSocketDisconnect:
        seats.remove(seat)


async def healthy(_: Request) -> PlainTextResponse:
    return PlainTextResponse("ok")


def main() -> None:
    app = Starlette(
        routes=[WebSocketRoute("/api/tables/{table}/socket", sit), Route("/healthz", healthy)]
    )
    uvicorn.run(
        app,
        port=int(sys.argv[1]),
        loop="uvloop",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        log_level="warning",
    )


if __name__ == "__main__":
    main()
