"""Logs: a line of JSON each, and no secret in any of them."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

USUAL = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}
# Whatever somebody may once hand over by mistake: a token has no business in a log.
NEVER = {"token", "invite", "secret", "cookie", "authorization", "share"}


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        for name, value in vars(record).items():
            if name not in USUAL and not name.startswith("_"):
                line[name] = "…" if name in NEVER else value
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def set_up(level: str) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # A socket that was refused has had its answer; uvicorn would call that an error each time.
    logging.getLogger("uvicorn.error").addFilter(
        lambda record: "without completing handshake" not in record.getMessage()
    )
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "websockets"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [], True
    logging.getLogger("uvicorn.access").setLevel("WARNING")  # we write our own lines
    logging.getLogger("uvicorn.error").setLevel("WARNING")
    logging.getLogger("websockets").setLevel("WARNING")
