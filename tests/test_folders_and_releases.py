"""Where files go on each system, and the notes of a release."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from bullpen import __version__, folders
from bullpen.locks import lock_at_once

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    ("platform", "data", "cache"),
    [
        ("linux", ".local/share", ".cache"),
        ("darwin", "Library/Application Support", "Library/Caches"),
        ("win32", "AppData/Local", "AppData/Local"),
    ],
)
def test_files_go_where_the_system_keeps_such_things(
    platform: str, data: str, cache: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("LOCALAPPDATA", "XDG_DATA_HOME", "XDG_CACHE_HOME", "BULLPEN_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", platform)
    assert folders.data_folder() == tmp_path / data / "bullpen"
    assert folders.cache_folder() == tmp_path / cache / "bullpen"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "mine"))
    assert folders.data_folder() == tmp_path / "mine" / "bullpen"


def test_a_lock_is_given_to_one_and_given_back(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with path.open("w") as one, path.open("w") as other:
        lock_at_once(one)
        with pytest.raises(BlockingIOError):
            lock_at_once(other)
        one.close()
        lock_at_once(other)


def script() -> Any:
    spec = spec_from_file_location("release", ROOT / "scripts" / "release.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_notes_of_a_release_are_its_section_of_the_changelog() -> None:
    release = script()
    changelog = "# Changelog\n\n## 0.2.0 (2027-01-31)\n\n### Added\n- New.\n\n## 0.1.0\n\n- Old.\n"
    assert release.notes_of("0.2.0", changelog) == "# Bullpen 0.2.0\n\n### Added\n- New.\n"
    with pytest.raises(release.Failed, match=r"no section for 0\.2"):
        release.notes_of("0.2", changelog)
    assert release.version() == __version__
    assert "- " in release.notes_of(__version__, (ROOT / "CHANGELOG.md").read_text("utf-8"))
