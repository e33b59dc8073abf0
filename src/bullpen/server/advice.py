"""What is likely wrong with a server that strangers can reach; said when it starts."""

from __future__ import annotations

from contextlib import suppress
from ipaddress import ip_address
from typing import Any

from bullpen.server.nearby import EVERYWHERE
from bullpen.server.settings import Settings

Advice = tuple[str, dict[str, Any]]  # the key of a sentence, and its facts


def advice(settings: Settings, files: float) -> list[Advice]:
    found: list[Advice] = []
    if is_public(settings.host) and not settings.origin:
        found.append(("no_origin", {"host": settings.host}))
    https = [site for site in settings.origin if site.startswith("https:")]
    if https and not settings.proxy:  # we speak HTTP alone: somebody else must do it
        found.append(("no_proxy", {"origin": https[0]}))
    if files < settings.connections:
        found.append(("few_files", {"files": files, "connections": settings.connections}))
    return found


def is_public(host: str) -> bool:
    if host in EVERYWHERE:
        return True
    with suppress(ValueError):
        return ip_address(host).is_global
    return False  # a name: whoever gave it knows where it leads
