"""Jumps of the wall clock do no harm: all deadlines are counted by the monotonic one."""

import ast
import time
from pathlib import Path

import time_machine

import bullpen.server
from bullpen.server.attendance import Deadlines
from bullpen.server.budget import Hits, Rate
from bullpen.server.metrics import Metrics

SOURCES = Path(bullpen.server.__file__).parent


def test_a_jump_of_the_clock_moves_no_deadline() -> None:
    deadlines = Deadlines()
    now = time.monotonic()
    deadlines.start(0, now, 30.0)
    with time_machine.travel("2035-01-01", tick=False):
        left = deadlines.left(0, now)
        assert left == 30.0
        assert deadlines.due(now) == []
    with time_machine.travel("1999-01-01", tick=False):
        assert deadlines.due(now + 31) == [0]


def test_the_clock_starts_when_the_animation_has_had_its_time() -> None:
    deadlines = Deadlines()
    deadlines.animate(100.0, 2.0)
    deadlines.animate(100.5, 1.0)
    deadlines.start(1, 100.5, 10.0)
    assert deadlines.left(1, 103.0) == 10.0
    assert deadlines.due(113.0) == [1]


def test_a_jump_of_the_clock_does_not_open_the_door_to_more_requests() -> None:
    rate = Rate("requests", 2, Hits(Metrics()))
    assert [rate.allows("a") for _ in range(3)] == [True, True, False]
    assert rate.allows("b")


def test_no_deadline_reads_the_wall_clock() -> None:
    """`time.time` and `datetime.now` are for what people read, which is not in these modules."""
    for name in (
        "attendance",
        "steward",
        "room",
        "connection",
        "guard",
        "sockets",
        "house",
        "budget",
        "transport",
    ):
        tree = ast.parse((SOURCES / f"{name}.py").read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                assert (node.value.id, node.attr) not in {("time", "time"), ("datetime", "now")}
