"""What every client may ask for: counted when it begins, by the network that it comes from."""

from __future__ import annotations

import logging
import time
from collections import Counter
from dataclasses import dataclass

from bullpen.server.metrics import Metrics
from bullpen.server.networks import network_of

log = logging.getLogger("bullpen.budget")

MOST_NETWORKS = 50_000  # that are counted at a time


class Hits:
    """Every limit that was hit is counted, and written to the log once a minute for each who hits it."""

    def __init__(self, metrics: Metrics) -> None:
        self.metrics = metrics
        self.minute, self.logged = 0, set[tuple[str, str]]()

    def count(self, limit: str, network: str) -> None:
        self.metrics.limited.labels(limit).inc()
        minute = int(time.monotonic() // 60)
        if minute != self.minute or len(self.logged) > MOST_NETWORKS:
            self.minute, self.logged = minute, set()
        if (limit, network) not in self.logged:
            self.logged.add((limit, network))
            log.warning("limit", extra={"limit": limit, "network": network})


class Rate:
    """How often each network may still do something; all begin anew every minute."""

    def __init__(self, limit: str, per_minute: int, hits: Hits) -> None:
        self.limit, self.per_minute, self.hits = limit, per_minute, hits
        self.minute, self.counts = 0, dict[str, int]()

    def allows(self, address: str) -> bool:
        minute = int(time.monotonic() // 60)
        if minute != self.minute or len(self.counts) > MOST_NETWORKS:
            self.minute, self.counts = minute, {}
        network = network_of(address)
        self.counts[network] = self.counts.get(network, 0) + 1
        if self.counts[network] <= self.per_minute:
            return True
        self.hits.count(self.limit, network)
        return False

    def seconds_left(self) -> int:
        return 60 - int(time.monotonic() % 60)


class Held:
    """What each network has at a time: taken when it begins, given back when it ends."""

    def __init__(self, limit: str, most: int, hits: Hits) -> None:
        self.limit, self.most, self.hits = limit, most, hits
        self.by_network: Counter[str] = Counter()

    def takes(self, address: str) -> bool:
        network = network_of(address)
        if self.by_network[network] >= self.most:
            self.hits.count(self.limit, network)
            return False
        self.by_network[network] += 1
        return True

    def give_back(self, address: str) -> None:
        network = network_of(address)
        self.by_network[network] -= 1
        if self.by_network[network] <= 0:
            del self.by_network[network]


@dataclass(slots=True)
class Bucket:
    """So many at once, and refilled evenly."""

    most: float
    a_second: float
    left: float
    at: float = 0.0

    def takes(self, now: float) -> bool:
        self.left = min(self.most, self.left + (now - self.at) * self.a_second)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True

    def give_back(self) -> None:
        self.left = min(self.most, self.left + 1)


def bucket(most: int, seconds: float) -> Bucket:
    """So many in so many seconds."""
    return Bucket(most, most / seconds, most)
