"""Ports of loopback for the servers of tests."""

from __future__ import annotations

import socket

HOST = "127.0.0.1"


def own_port() -> int:
    """A port that is ours until this process ends, also while no server listens there: a socket is bound to it, which is
    never closed.  Nobody else is given it by the system, but who asks for it may have it, as all our servers do."""
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind((HOST, 0))
    port: int = held.getsockname()[1]
    held.detach()
    return port
