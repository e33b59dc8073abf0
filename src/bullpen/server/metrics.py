"""What operators can watch, in the form that Prometheus reads."""

from __future__ import annotations

import os
import platform

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

from bullpen import __version__

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
        self.pushes = Counter(
            "bullpen_pushes", "web pushes, by what became of them", ["outcome"], registry=registry
        )
        self.storing = Histogram(
            "bullpen_storing_seconds",
            "until a batch is on disk",
            buckets=SECONDS,
            registry=registry,
        )
        self.refusals = Counter(
            "bullpen_refusals", "requests and sockets refused", ["kind", "key"], registry=registry
        )
        self.complaints = Counter(
            "bullpen_complaints", "warnings and errors logged", ["level", "line"], registry=registry
        )
        self.thinking = Gauge(
            "bullpen_thinking",
            "processes that think now",
            ["pool"],
            registry=registry,
            multiprocess_mode="livesum",
        )
        self.loop_lag = Histogram(
            "bullpen_loop_lag_seconds",
            "how late the loop is, asked ten times a second",
            buckets=SECONDS,
            registry=registry,
        )
        build = Gauge(
            "bullpen_build_info",
            "what runs here",
            ["version", "python"],
            registry=registry,
            multiprocess_mode="livemax",
        )
        build.labels(__version__, platform.python_version()).set(1)
        ProcessCollector(registry=registry)  # processor, memory and open files of the server itself

    def text(self) -> bytes:
        """Of all processes, where several serve together."""
        if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            return generate_latest(self.registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)
