"""Every rule id of docs/games has a test that is marked with it."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
RULES = TESTS.parent / "docs" / "games"
RULE_ID = re.compile(r"\*\*([A-Z]{2}-\d+)\*\*")
MARKER = re.compile(r"mark\.rule\(([^)]*)\)")


def rule_ids() -> list[str]:
    return [
        rule for page in sorted(RULES.glob("*.md")) for rule in RULE_ID.findall(page.read_text())
    ]


def marked_ids() -> set[str]:
    markers = [m for test in TESTS.glob("test_*.py") for m in MARKER.findall(test.read_text())]
    return {rule for marker in markers for rule in re.findall(r'"([A-Z]{2}-\d+)"', marker)}


def test_the_rules_have_ids() -> None:
    assert len(rule_ids()) == len(set(rule_ids())) == 97


@pytest.mark.parametrize("rule", rule_ids())
def test_the_rule_has_a_test(rule: str) -> None:
    assert rule in marked_ids(), f"no test is marked with @pytest.mark.rule({rule!r})"


def test_no_test_is_marked_with_a_rule_that_does_not_exist() -> None:
    assert marked_ids() <= set(rule_ids())
