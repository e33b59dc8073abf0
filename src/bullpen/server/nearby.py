"""How others find this server: its address in the local network, and QR codes for phones."""

from __future__ import annotations

import socket
from functools import lru_cache

import segno
from fastapi import APIRouter, Request

from bullpen.server.requests import Place, QrCode, QrWish
from bullpen.server.settings import Settings

EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 — as an operator may set it
NOWHERE_NEAR = ("192.0.2.1", 9)  # an address for examples: asked for the way there, never sent to


def local_address() -> str | None:
    """By which address others in the same network reach this machine; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(NOWHERE_NEAR)
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if address.startswith(("127.", "0.")) else address


def address_for_others(settings: Settings, port: int) -> str | None:
    """What to send to somebody else: the public name, or the address in the local network."""
    if settings.origin:
        return settings.origin[0]
    if settings.host in EVERYWHERE:
        near = local_address()
        return f"http://{near}:{port}" if near else None
    is_own = settings.host in ("127.0.0.1", "::1", "localhost")
    return None if is_own else f"http://{in_address(settings.host)}:{port}"


def in_address(host: str) -> str:
    """As it stands before a port."""
    return f"[{host}]" if ":" in host else host


def family_of(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


# -- Asked for by the pages -----------------------------------------------------------------------


def router(settings: Settings) -> APIRouter:
    api = APIRouter(prefix="/api")

    @api.get("/here", summary="Where others find this server")
    async def here(request: Request) -> Place:
        return Place(address=address_for_others(settings, request.scope["server"][1]))

    @api.post("/qr", summary="A QR code")
    def qr(wish: QrWish) -> QrCode:  # a POST, because invitations never stand in an address
        size, path = qr_drawing(wish.text)
        return QrCode(size=size, path=path)

    return api


@lru_cache(maxsize=1000)
def qr_drawing(text: str) -> tuple[int, str]:
    """The size of the code in squares, and its dark squares as the path of an SVG."""
    rows = [bytes(row) for row in segno.make(text, error="m", micro=False).matrix]
    parts = [
        f"M{x} {y}h{length}v1h-{length}z" for y, row in enumerate(rows) for x, length in runs(row)
    ]
    return len(rows), "".join(parts)


def runs(row: bytes) -> list[tuple[int, int]]:
    """Where dark squares begin, and how many stand together."""
    found: list[tuple[int, int]] = []
    x = 0
    for dark in row.split(b"\0"):
        if dark:
            found.append((x, len(dark)))
        x += len(dark) + 1
    return found
