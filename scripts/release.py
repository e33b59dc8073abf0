"""Builds a release into dist/, checks it, and writes its notes from the changelog.

    python scripts/release.py

It uploads nothing, signs nothing and tags nothing: it ends with what a person would type to do so.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
SECTION = re.compile(r"^## (.+)$", re.MULTILINE)


class Failed(Exception):
    """Why there is no release, and what to do about it."""


def main() -> int:
    try:
        release()
    except Failed as failure:
        print(f"bullpen: {failure}", file=sys.stderr)
        return 1
    return 0


def release() -> None:
    number = version()
    notes = notes_of(number, (ROOT / "CHANGELOG.md").read_text("utf-8"))
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "hatchling", "build", "--directory", str(DIST))
    files = sorted(map(str, DIST.iterdir()))
    run(sys.executable, "-m", "twine", "check", "--strict", *files)
    page = DIST / f"notes-{number}.md"
    page.write_text(notes, "utf-8")
    print("\n".join([*files, str(page)]))
    print(f"""
Nothing was uploaded, signed or tagged. When it is meant to be published:
  git tag --annotate v{number} --file {page.relative_to(ROOT)}
  {python()} -m twine upload dist/*.whl dist/*.tar.gz""")


def python() -> str:
    """As it is typed in this folder."""
    used = Path(sys.executable)
    return str(used.relative_to(ROOT)) if used.is_relative_to(ROOT) else "python"


def version() -> str:
    """The one place where it stands; a tag must not say something else."""
    found = VERSION.search((ROOT / "src" / "bullpen" / "__init__.py").read_text("utf-8"))
    if found is None:
        raise Failed('src/bullpen/__init__.py has no line `__version__ = "…"`.')
    return found[1]


def notes_of(number: str, changelog: str) -> str:
    """The section of this version: `## 0.2.0 (2027-01-31)`, or `## Unreleased (0.2.0)` before its day."""
    parts = SECTION.split(changelog)
    for title, text in zip(parts[1::2], parts[2::2], strict=True):
        if re.search(rf"(?<![\w.]){re.escape(number)}(?![\w.])", title):
            return f"# Bullpen {number}\n\n{text.strip()}\n"
    raise Failed(f"CHANGELOG.md has no section for {number}: write one, or change __version__.")


def run(*words: str) -> None:
    ran = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise Failed(f"`{' '.join(words[1:4])}` failed:\n{ran.stdout}{ran.stderr}")


if __name__ == "__main__":
    raise SystemExit(main())
