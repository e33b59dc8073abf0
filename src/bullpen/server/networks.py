"""Addresses: who counts as one client, and whom an operator means."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from functools import lru_cache

ALL_OF_ONE = 64  # bits of an IPv6 address that say whose it is: the rest is free to choose


@lru_cache(4096)
def network_of(address: str) -> str:
    """Who counts as one client: an IPv4 address, or the /64 of an IPv6 one."""
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(known, ipaddress.IPv4Address):
        return address
    if known.ipv4_mapped:
        return str(known.ipv4_mapped)
    return str(ipaddress.ip_network((known, ALL_OF_ONE), strict=False))


class Networks:
    """Addresses and networks, as an operator names them."""

    def __init__(self, words: Sequence[str]) -> None:
        self.all = "*" in words
        self.names = {word for word in words if not is_network(word)}
        self.networks = [
            ipaddress.ip_network(word, strict=False) for word in words if is_network(word)
        ]

    def __contains__(self, address: str) -> bool:
        if self.all or address in self.names:
            return True
        if not self.networks:
            return False
        try:
            known = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(known in network for network in self.networks)


def is_network(word: str) -> bool:
    try:
        ipaddress.ip_network(word, strict=False)
    except ValueError:
        return False
    return True
