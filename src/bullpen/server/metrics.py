"""What operators can watch, in the form that Prometheus reads."""

from __future__ import annotations

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.tables = Gauge(
            "bullpen_tables", "tables in memory", registry=registry, multiprocess_mode="livesum"
        )
        self.sockets = Gauge(
            "bullpen_sockets", "open sockets", registry=registry, multiprocess_mode="livesum"
        )
        self.moves = Counter("bullpen_events", "events stored", registry=registry)
        self.refused = Counter("bullpen_refused", "moves refused", registry=registry)
        self.not_stored = Counter("bullpen_not_stored", "writes that failed", registry=registry)
        self.dropped = Counter("bullpen_dropped", "sockets cut off", registry=registry)
        self.limited = Counter(
            "bullpen_limited", "limits that clients hit", ["limit"], registry=registry
        )
        self.bot_failures = Counter(
            "bullpen_bot_failures", "decisions a bot did not make in time", registry=registry
        )
        self.created = Counter("bullpen_created", "tables made", ["game"], registry=registry)
        self.finished = Counter("bullpen_finished", "games finished", ["game"], registry=registry)
        self.storing = Histogram(
            "bullpen_storing_seconds",
            "until a batch is on disk",
            buckets=SECONDS,
            registry=registry,
        )

    def text(self) -> bytes:
        """Of all processes, where several serve together."""
        if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            return generate_latest(self.registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)
