"""Finds a Chromium for the tests in the browser, or gets one.

    python scripts/browser.py        say which one it is; get one where there is none

One that is there is taken as it is; BULLPEN_BROWSER=/path/to/chromium chooses another.  Else root on Debian gets
Debian's own by apt, everybody else the one that Playwright fetches into the user's cache.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

# First the same Chromium without the windows that nobody sees here: the tests take it a quarter less of the processor.
SHELL = "chromium-headless-shell"
NAMES = (
    SHELL,
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
)
MISSING = (
    "a Chromium is needed for the tests in the browser, and there is none.\n"
    "         Run `make browser`, or install one (Debian: sudo apt install chromium), "
    "or name it in BULLPEN_BROWSER."
)


class Failed(Exception):
    """Why there is no browser, and what to do about it."""


def main() -> int:
    try:
        print(f"==> Browser for the tests: {find() or get()}", file=sys.stderr)
    except Failed as failure:
        print(f"\nbullpen: {failure}", file=sys.stderr)
        return 1
    return 0


def find() -> str | None:
    """One that starts: what Ubuntu calls chromium may be a script that only says where to get it."""
    return next((path for path in candidates() if starts(path)), None)


def candidates() -> Iterator[str]:
    if named := os.environ.get("BULLPEN_BROWSER"):
        yield named
        return
    yield from filter(None, map(shutil.which, NAMES))
    if (fetched := playwrights_own()) and fetched.is_file():
        yield str(fetched)


def starts(path: str) -> bool:
    try:
        said = subprocess.run([path, "--version"], capture_output=True, timeout=120, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return said.returncode == 0


def playwrights_own() -> Path | None:
    """Where Playwright puts the browser that it fetches, whether it has done so or not."""
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        return None
    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path)


# -- Getting one --------------------------------------------------------------------------------


def get(ways: tuple[Callable[[], str], ...] | None = None) -> str:
    """By the first way that works; if none does, all that they said."""
    if named := os.environ.get("BULLPEN_BROWSER"):
        raise Failed(f"BULLPEN_BROWSER is {named}, which does not start as a browser.")
    said = []
    for way in ways or (by_apt, by_playwright):
        said.append(way())
        if found := find():
            return found
    raise Failed("\n".join([MISSING, *filter(None, said)]))


def by_apt() -> str:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return ""
    say("Installing chromium with apt-get, for the tests in the browser (some 100 MB, once)")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    if failed := run(["apt-get", "update", "-qq"], quiet):
        return failed
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends"]
    # Where it is not a package of its own, the whole one is there.
    return run([*install, SHELL], quiet) and run([*install, "chromium"], quiet)


def by_playwright() -> str:
    say("Fetching Playwright's Chromium, for the tests in the browser (some 170 MB, once)")
    return run([sys.executable, "-m", "playwright", "install", "chromium"], dict(os.environ))


def run(command: list[str], environment: dict[str, str]) -> str:
    """Nothing where it went well, else how it ended."""
    done = subprocess.run(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    last = "\n".join(done.stdout.strip().splitlines()[-5:])
    return f"{' '.join(command)} failed:\n{last}" if done.returncode else ""


def say(text: str) -> None:
    print(f"==> {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
