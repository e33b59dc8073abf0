"""A network between a server and its PostgreSQL that breaks at the worst moment: around a COMMIT."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import Literal
from urllib.parse import urlsplit

COMMIT = b"COMMIT\0"
When = Literal["before", "after"]  # the database has heard of the commit


class Proxy:
    """Passes everything on, until it is told to cut a transaction; then nobody gets through until `mend`."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.target = parts.hostname, parts.port
        self.listening = socket.create_server(("127.0.0.1", 0))
        port = self.listening.getsockname()[1]
        self.url = f"postgresql://{parts.username}@127.0.0.1:{port}{parts.path}"
        self.word, self.when = b"", "before"
        self.was_cut, self.is_whole = threading.Event(), threading.Event()
        self.is_whole.set()
        self.open: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut_commit(self, word: bytes, when: When) -> None:
        """Of the next transaction in which the server says this word."""
        self.was_cut.clear()
        self.word, self.when = word, when

    def mend(self) -> None:
        self.is_whole.set()

    def close(self) -> None:
        self.listening.close()
        self._cut()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listening.accept()
                if not self.is_whole.is_set():
                    client.close()
                    continue
                server = socket.create_connection(self.target)
                self.open |= {client, server}
                Line(self, client, server).start()

    def _cut(self) -> None:
        for end in list(self.open):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self.open.clear()

    def break_down(self) -> None:
        self.is_whole.clear()
        self.word = b""
        self._cut()
        self.was_cut.set()


class Line:
    """One connection."""

    def __init__(self, proxy: Proxy, client: socket.socket, server: socket.socket) -> None:
        self.proxy, self.client, self.server = proxy, client, server
        self.said = b""  # by the client, in this transaction
        self.is_waiting = False  # for the answer to a commit that nobody will hear

    def start(self) -> None:
        threading.Thread(target=self._ask, daemon=True).start()
        threading.Thread(target=self._answer, daemon=True).start()

    def _ask(self) -> None:
        with contextlib.suppress(OSError):
            while data := self.client.recv(65536):
                self.said += data
                is_meant = self.proxy.word and self.proxy.word in self.said
                if COMMIT in data and is_meant and self.proxy.when == "before":
                    self.proxy.break_down()
                    return
                self.is_waiting = bool(COMMIT in data and is_meant)
                if COMMIT in data:
                    self.said = b""
                self.server.sendall(data)
            self.server.shutdown(socket.SHUT_WR)

    def _answer(self) -> None:
        with contextlib.suppress(OSError):
            while data := self.server.recv(65536):
                if self.is_waiting:
                    self.proxy.break_down()
                    return
                self.client.sendall(data)
            self.client.shutdown(socket.SHUT_WR)
