"""What an operator can set, by flags or by the environment; the defaults are for a server at home."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from ipaddress import ip_network
from typing import Any

from bullpen.cards import Problem
from bullpen.server.networks import is_network
from bullpen.server.store import url_of

PREFIX = "BULLPEN_"


@dataclass(frozen=True)
class Settings:
    host: str = "127.0.0.1"
    port: int = 8000
    db: str = "sqlite:///bullpen.db"
    origin: tuple[str, ...] = ()  # where browsers find us; none: wherever a page came from
    proxy: str = ""  # addresses and networks whose X-Forwarded-For we believe
    workers: int = 1  # processes that serve tables
    thinkers: int = 2  # processes for bots
    coaches: int = 1  # processes for hints
    reviewers: int = 1  # processes for reviews
    refused_words: str = ""  # a file of words that nobody may say or be called
    quality_share: float = 0.25  # of a processor, for judging decisions in the background; 0: none
    sleep_seconds: float = 600.0  # after the last one has left, until bots stop playing
    bot_seconds: float = 3.0  # for one decision
    coach_seconds: float = 60.0
    memory: int = 4096  # megabytes of address space for a thinking process
    warm: bool = True  # compile the stronger bots in the background at the start
    banned: tuple[str, ...] = ()  # addresses and networks that are not served
    # Of one client: an IPv4 address or the /64 of an IPv6 one.
    tables_per_address: int = 50  # lobbies and running games that one address made
    tables_per_player: int = 100  # that one player sits at, asleep or not
    codes_per_minute: int = 10  # tries to use a player's code, for one address
    quick_per_minute: int = 20  # quick matches that one address asks for
    clubs_per_minute: int = 10  # clubs that one address makes, and links to clubs that are none
    clubs_per_player: int = 20  # that one player belongs to
    sockets_per_address: int = 100
    connections_per_address: int = 200  # sockets and others, not those of the proxy
    requests_per_minute: int = 600  # HTTP, for one address
    work_per_address: int = 2  # replays, records, reviews that are being made
    connections: int = 10_000  # of all; fewer where the system allows fewer open files
    head_seconds: float = 10.0  # until a request has said what it wants
    body_seconds: float = 20.0  # … and until it is whole
    messages: int = 20  # of one seat, or of one spectator's socket …
    messages_seconds: float = 10.0  # … in this time
    open_seconds: float = 5.0  # for opening shares in the deal, once a table starts
    lobby_minutes: float = 30.0  # until a lobby without people is closed
    away_seconds: float = 30.0  # until a bot plays for somebody who is away, without a clock
    alone_seconds: float = 86_400.0  # the same where only bots wait for that person
    alone_days: float = 7.0  # the same as below for a game of one person with bots; 0: never
    abandon_days: float = 90.0  # since something happened in a game, until it is given up; 0: never
    keep_days: float = 0.0  # that names and chat of what is over are kept; 0: for ever
    push_contact: str = ""  # whom push services may write to: mailto:… or https://…
    push_local: bool = False  # also push services in networks of our own, and without TLS
    log: str = "info"


def from_environment(environ: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """`BULLPEN_PORT=8080`, `BULLPEN_ORIGIN=https://a.example,https://b.example`."""
    found: dict[str, Any] = {}
    for field in fields(Settings):
        if text := environ.get(PREFIX + field.name.upper()):
            found[field.name] = read(field.name, text)
    return found


YES_OR_NO = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
LEVELS = ("debug", "info", "warning", "error")  # of the log
LEAST = {
    "workers": 1,
    "thinkers": 1,
    "coaches": 1,
    "reviewers": 1,
    "bot_seconds": 0.01,
    "coach_seconds": 0.01,
    "memory": 256,
    "tables_per_address": 1,
    "tables_per_player": 1,
    "codes_per_minute": 1,
    "quick_per_minute": 1,
    "clubs_per_minute": 1,
    "clubs_per_player": 1,
    "sockets_per_address": 1,
    "connections_per_address": 1,
    "work_per_address": 1,
    "connections": 10,
    "head_seconds": 0.1,
    "body_seconds": 0.1,
    "requests_per_minute": 1,
    "messages": 1,
    "messages_seconds": 0.01,
    "open_seconds": 0.1,
}
MOST = {"port": 65535, "workers": 64, "open_seconds": 60, "quality_share": 1}
CONTACT = re.compile(r"mailto:[^@\s]+@[^@\s]+|https://[^/\s]+(/\S*)?")
SITE = re.compile(r"https?://[^/\s]+")


def read(name: str, text: str) -> Any:
    usual = getattr(Settings, name)
    if isinstance(usual, bool):
        return one_of(YES_OR_NO, name, text.lower(), "yes" if usual else "no")
    if name == "log":
        return one_of({level: level for level in LEVELS}, name, text.lower(), usual)
    if name == "db":
        return url_of(text)
    if name == "proxy":
        return ",".join(proxy(part.strip()) for part in text.split(",") if part.strip())
    if name == "push_contact":
        return contact(text)
    if isinstance(usual, tuple):
        read_one = site if name == "origin" else network
        return tuple(read_one(part.strip()) for part in text.split(",") if part.strip())
    return text if isinstance(usual, str) else number(name, text, usual)


def one_of(known: Mapping[str, Any], name: str, text: str, usual: str) -> Any:
    if text not in known:
        words = ", ".join(known)
        raise Problem("bad_setting_word", setting=name, value=text, known=words, usual=usual)
    return known[text]


def number(name: str, text: str, usual: float) -> float:
    least, most = LEAST.get(name, 0), MOST.get(name, math.inf)
    try:
        value: float = type(usual)(text)
    except ValueError:
        value = math.nan
    if least <= value <= most and math.isfinite(value):
        return value
    facts = {"setting": name, "value": text, "least": least, "usual": str(usual)}
    if name in MOST:
        raise Problem("bad_setting_range", **facts, most=most)
    raise Problem("bad_setting_number", **facts)


def network(text: str) -> str:
    if not is_network(text):
        raise Problem("bad_setting_network", value=text)
    return text


def site(text: str) -> str:
    address = text.rstrip("/")
    if not SITE.fullmatch(address):
        raise Problem("bad_setting_origin", value=text)
    return address


def contact(text: str) -> str:
    if not CONTACT.fullmatch(text):
        raise Problem("bad_setting_contact", value=text)
    return text


def proxy(text: str) -> str:
    """As uvicorn understands it.  A name would never be the address that a request comes from."""
    if text == "*":  # everybody: where nobody but the proxy can reach us
        return text
    return str(ip_network(network(text), strict=False)) if "/" in text else network(text)
