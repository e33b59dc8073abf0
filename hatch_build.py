"""Builds the table in the browser into wheels; an editable installation has it built by `make`.

And the page that a package index shows: the README, without what would be dead there.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class Client(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        if version == "editable" or not (Path(self.root) / "web").is_dir():
            return
        sys.path.insert(0, str(Path(self.root) / "scripts"))
        import web

        if web.main(["build"]):
            raise SystemExit(1)


class IndexPage(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        home = str(self.config.get("home", "")).rstrip("/")
        text = index_page((Path(self.root) / "README.md").read_text("utf-8"), home)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = addresses(home)


PICTURE = re.compile(r"!\[[^\]]*\]\((?!\w+:)([^)]+)\)\n?")
FRAMED_PICTURES = re.compile(r"<p>\n(?: *<img [^>]*/>\n)+</p>\n")
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!\w+:|#)([^)]+)\)")


def index_page(readme: str, home: str) -> str:
    """Where the sources are published links and pictures lead there; else the links are words, and pictures are left out."""
    if home:
        text = re.sub(r'(!\[[^\]]*\]\(|<img src=")(?!\w+:)', rf"\g<1>{home}/raw/main/", readme)
        return LINK.sub(rf"[\1]({home}/blob/main/\2)", text)
    text = FRAMED_PICTURES.sub("", PICTURE.sub("", readme))
    text = re.sub(r"^\[[^\]]+\]\([^)]+\.webp\)[^\n]*\n", "", text, flags=re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", LINK.sub(r"\1", text))


def addresses(home: str) -> dict[str, str]:
    if not home:
        return {}
    return {
        "Homepage": home,
        "Documentation": f"{home}/blob/main/docs/README.md",
        "Changelog": f"{home}/blob/main/CHANGELOG.md",
        "Source": home,
        "Issues": f"{home}/issues",
    }
