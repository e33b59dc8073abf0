"""Tests that are tried a second time when they fail: each is named here with its reason, and told of when it was used.

There are none.  A test that fails now and then tells of a defect, in itself or in what it tests: find which, and mend it
(CONTRIBUTING.md, "When CI fails").  A name stands here only until that is done.
"""

from __future__ import annotations

import pytest
from _pytest.runner import runtestprotocol
from _pytest.terminal import TerminalReporter

SECOND_TRIES: dict[
    str, str
] = {}  # the id of a test, as pytest prints it: why it needs a second try
TRIED_TWICE = "tried twice"


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    if item.nodeid not in SECOND_TRIES:
        return None  # as always
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    if any(report.failed for report in reports):
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
        reports[0].user_properties.append((TRIED_TWICE, SECOND_TRIES[item.nodeid]))
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Also where other processes have run the tests: a report carries what is told here."""
    reports = [report for told in terminalreporter.stats.values() for report in told]
    for report in reports:
        for name, reason in getattr(report, "user_properties", []):
            if name == TRIED_TWICE:
                terminalreporter.write_line(f"TRIED TWICE {report.nodeid} - {reason}", yellow=True)
