"""Logs for programs: one JSON object on a line, never a text, a password or a token."""

import json
import logging
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

KNOWN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}

MINUTE: Final = 60
CAUSED_BY_CLIENTS: Final = ("tertium.serve.connections", "uvicorn.error", "asyncio")
"""Loggers whose records a client can cause as often as it likes."""


class JsonLines(logging.Formatter):
    """A record as JSON: time, level, message, and what was given as ``extra``."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        values = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **{name: value for name, value in vars(record).items() if name not in KNOWN},
        }
        if record.exc_info:
            values["error"] = self.formatException(record.exc_info)
        return json.dumps(values, ensure_ascii=False, default=str)


class OncePerMinute(logging.Filter):
    """Lets a message through once a minute, with how often it was suppressed since.

    For what clients cause at will: connections that are refused, requests that are no HTTP.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._shown: dict[tuple[str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is the first of its kind in a minute."""
        if record.levelno < logging.WARNING:
            return True
        key = (record.name, str(record.msg))
        moment = self._clock()
        shown, suppressed = self._shown.get(key, (moment - MINUTE, 0))
        if moment - shown < MINUTE:
            self._shown[key] = (shown, suppressed + 1)
            return False
        self._shown[key] = (moment, 0)
        if suppressed:
            record.suppressed = suppressed
        return True


def set_up_logs(level: int = logging.INFO) -> None:
    """Write logs of the server and its workers to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("tertium.serve").setLevel(level)
    for name in CAUSED_BY_CLIENTS:
        logger = logging.getLogger(name)
        if not any(isinstance(one, OncePerMinute) for one in logger.filters):
            logger.addFilter(OncePerMinute())
