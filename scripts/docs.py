"""Builds the site of the documentation into .site/, and follows every link inside of it.

    python scripts/docs.py

Any warning of Sphinx, a link or an anchor that leads nowhere, and anything that a page would load from elsewhere
is an error.  Only what has changed is built anew.  Nothing is fetched: links to other sites are not tried.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from os.path import relpath
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
DOCS, SITE = ROOT / "docs", ROOT / ".site"
MADE_BY = (DOCS / "site" / "conf.py", ROOT / "requirements-dev.lock")  # for every page
START = "index.html"


def main() -> int:
    if not build():
        return 1
    pages = reached(SITE)
    wrong = list(faults(SITE, pages))
    for fault in wrong:
        print(fault, file=sys.stderr)
    if not wrong:
        print(f"{len(pages)} pages, no link leads nowhere: {SITE.relative_to(ROOT) / START}")
    return 1 if wrong else 0


# -- Building -----------------------------------------------------------------------------------


def build() -> bool:
    parsed = SITE / ".doctrees"
    if is_older(parsed / "environment.pickle"):
        shutil.rmtree(SITE, ignore_errors=True)
    words = ["-b", "html", "-c", DOCS / "site", "-n", "-W", "-q", DOCS, SITE]
    command = [sys.executable, "-m", "sphinx", *map(str, words)]
    done = subprocess.run(command, cwd=ROOT, check=False)
    if done.returncode:
        # A page that Sphinx has warned of once is not read again; the next build has to say it, too.
        shutil.rmtree(parsed, ignore_errors=True)
    return done.returncode == 0


def is_older(built: Path) -> bool:
    if not built.exists():
        return True
    return any(made_by.stat().st_mtime > built.stat().st_mtime for made_by in MADE_BY)


# -- Links --------------------------------------------------------------------------------------


class Page(HTMLParser):
    """The links of a page, and the places in it that others can link to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if "id" in told:
            self.anchors.add(told["id"])
        if tag == "a" and "href" in told:
            self.links.append(told["href"])
        if "src" in told:
            self.loaded.append(told["src"])
        if tag == "link" and told.get("rel") in ("stylesheet", "icon", "preload"):
            self.loaded.append(told["href"])


def reached(site: Path) -> dict[Path, Page]:
    """Every page that links lead to from the first one; others may be left from an earlier build."""
    pages: dict[Path, Page] = {}
    waiting = [site / START]
    while waiting:
        file = waiting.pop()
        if file in pages or file.suffix != ".html" or not file.is_file():
            continue
        page = pages[file] = Page(file.read_text("utf-8"))
        waiting += [target for target, _ in targets(file, page.links)]
    return pages


def targets(file: Path, links: list[str]) -> Iterator[tuple[Path, str]]:
    for link in links:
        parts = urlsplit(link)
        if not parts.scheme and not parts.netloc:
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            yield target, unquote(parts.fragment)


def faults(site: Path, pages: dict[Path, Page]) -> Iterator[str]:
    for file, page in sorted(pages.items()):
        name = file.relative_to(site)
        for target, anchor in targets(file, page.links + page.loaded):
            shown = relpath(target, site)
            if not target.is_file():
                yield f"{name}: a link to {shown}, which is not there"
            elif anchor and target in pages and anchor not in pages[target].anchors:
                yield f"{name}: a link to {shown}#{anchor}, and there is no such heading"
        for link in page.loaded:
            if urlsplit(link).netloc:
                yield f"{name}: loads {link} from elsewhere"


if __name__ == "__main__":
    sys.exit(main())
