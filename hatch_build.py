"""Builds the table in the browser into wheels; an editable installation has it built by `make`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Client(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        if version == "editable" or not (Path(self.root) / "web").is_dir():
            return
        sys.path.insert(0, str(Path(self.root) / "scripts"))
        import web

        if web.main(["build"]):
            raise SystemExit(1)
