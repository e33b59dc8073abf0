"""Addresses that a browser names and that we call: only services out on the Internet, never our own network."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
NAT64 = ipaddress.ip_network("64:ff9b::/96")  # holds an IPv4 address in its last bits
LONGEST_ENDPOINT = 1000
HTTPS = 443


class Forbidden(Exception):
    """This address is not called."""


class Endpoint(NamedTuple):
    scheme: Literal["http", "https"]
    host: str
    port: int
    path: str  # with its query

    @property
    def service(self) -> str:
        """Whom we talk to, as it is signed."""
        usual = self.port == (HTTPS if self.scheme == "https" else 80)
        return f"{self.scheme}://{self.host}" + ("" if usual else f":{self.port}")


class Reach(NamedTuple):
    """Which addresses may be called: the operator may have a push service at home."""

    local: bool

    def read(self, text: str) -> Endpoint:
        """Raises Forbidden."""
        if not text.isascii() or not text.isprintable() or " " in text:
            raise Forbidden
        try:
            parts = urlsplit(text)
            host, port = parts.hostname, parts.port
        except ValueError:
            raise Forbidden from None
        if parts.scheme not in (("http", "https") if self.local else ("https",)):
            raise Forbidden
        if not host or parts.username is not None or parts.password is not None:
            raise Forbidden
        if ":" in host:  # no push service has such a name, and none could be signed
            raise Forbidden
        if is_address(host) and not self.allows(ipaddress.ip_address(host)):
            raise Forbidden
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        usual = HTTPS if parts.scheme == "https" else 80
        return Endpoint("https" if parts.scheme == "https" else "http", host, port or usual, path)

    async def found(self, endpoint: Endpoint) -> str:
        """The address to call, looked up once: what is checked is what is called.  Raises Forbidden, OSError."""
        loop = asyncio.get_running_loop()
        rows = await loop.getaddrinfo(endpoint.host, endpoint.port, type=socket.SOCK_STREAM)
        addresses = [str(row[4][0]) for row in rows]
        if not addresses or not all(self.allows(ipaddress.ip_address(one)) for one in addresses):
            raise Forbidden
        return addresses[0]

    def allows(self, address: Address) -> bool:
        return self.local or is_public(address)


def is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_public(address: Address) -> bool:
    """Also where an IPv4 address is wrapped into one of IPv6."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address.teredo is not None:
            inner = address.teredo[1]
        if address in NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
    return address.is_global and not address.is_multicast
