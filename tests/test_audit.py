"""Reading what the package indexes know of vulnerabilities (`scripts/audit.py`)."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

AUDIT = runpy.run_path(str(Path(__file__).parent.parent / "scripts" / "audit.py"))


@pytest.mark.parametrize(
    ("answer", "problems"),
    [
        (None, None),
        ({"dependencies": [{"name": "a", "skip_reason": "not found"}]}, None),
        ({"dependencies": [{"name": "a", "version": "1", "vulns": []}]}, []),
        (
            {
                "dependencies": [
                    {"name": "a", "skip_reason": "not found"},
                    {
                        "name": "b",
                        "version": "1",
                        "vulns": [{"id": "CVE-1", "fix_versions": ["2"]}],
                    },
                    {"name": "c", "version": "3", "vulns": [{"id": "CVE-2", "fix_versions": []}]},
                ]
            },
            ["b 1: CVE-1, mended in 2", "c 3: CVE-2, mended in no version yet"],
        ),
    ],
)
def test_a_vulnerable_python_package_is_named_and_one_that_was_not_looked_up_is_not_called_safe(
    answer: Any, problems: list[str] | None
) -> None:
    assert AUDIT["python_problems"](answer) == problems


@pytest.mark.parametrize(
    ("answer", "problems"),
    [
        (None, None),
        ({"message": "405 Method Not Allowed", "statusCode": 405}, None),
        ({"vulnerabilities": {}}, []),
        ({"vulnerabilities": {"a": {"range": "<2", "severity": "high"}}}, ["a <2: high"]),
    ],
)
def test_a_vulnerable_npm_package_is_named_and_a_silent_registry_is_not_a_good_sign(
    answer: Any, problems: list[str] | None
) -> None:
    assert AUDIT["npm_problems"](answer) == problems
