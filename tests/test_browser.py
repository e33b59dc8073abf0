"""A browser for the tests: one that is there, or got in one of several ways, or one clear word."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import browser


def program(folder: Path, name: str, code: int) -> str:
    path = folder / name
    path.write_text(f"#!/bin/sh\nexit {code}\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with no browser but those that the test puts there."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("BULLPEN_BROWSER", raising=False)
    monkeypatch.setattr(browser, "playwrights_own", lambda: tmp_path / "fetched")
    return tmp_path


def test_one_that_does_not_start_is_passed_over(alone: Path) -> None:
    program(alone, "chromium", 1)
    assert browser.find() is None
    other = program(alone, "google-chrome", 0)
    assert browser.find() == other


def test_the_one_that_playwright_fetched_is_found(alone: Path) -> None:
    fetched = program(alone, "fetched", 0)
    assert browser.find() == fetched


def test_one_can_be_named(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(alone, "chromium", 0)
    mine = program(alone, "mine", 0)
    monkeypatch.setenv("BULLPEN_BROWSER", mine)
    assert browser.find() == mine
    monkeypatch.setenv("BULLPEN_BROWSER", "/no/such/browser")
    assert browser.find() is None
    with pytest.raises(browser.Failed, match="/no/such/browser"):
        browser.get()


def test_the_next_way_is_tried_when_one_fails(alone: Path) -> None:
    def fails() -> str:
        return "the first way failed"

    def works() -> str:
        program(alone, "chromium", 0)
        return ""

    assert browser.get((fails, works)) == str(alone / "chromium")


def test_when_nothing_helps_it_is_said_what_to_do(alone: Path) -> None:
    with pytest.raises(browser.Failed, match="make browser") as failure:
        browser.get((lambda: "apt-get says no", lambda: "no network"))
    assert "apt-get says no" in str(failure.value)
    assert "no network" in str(failure.value)
