"""Bots, a training run and a seventh game to start from: `python -m bullpen.examples` writes them into a folder."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree, ignore_patterns

from bullpen.cards import Problem

PACKED = Path(__file__).parent / "files"  # in a wheel
BESIDE = Path(__file__).parents[3] / "examples"  # in the sources
NOT_OURS = ignore_patterns("__pycache__", "trained", "*.egg-info")


def copied(folder: Path) -> list[Path]:
    """All examples, copied into a folder that is not there yet; what lies in it then."""
    if folder.exists():
        raise Problem("examples_exist", folder=folder)
    copytree(PACKED if PACKED.is_dir() else BESIDE, folder, ignore=NOT_OURS)
    return sorted(folder.iterdir())
