"""The audit: one line for each call of a tool that writes. Who (by digest), what, when, and how it ended."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from logging.handlers import WatchedFileHandler
from typing import Any, Final
from urllib.parse import urlsplit

from dbplanet.logs import JsonFormatter

logger = logging.getLogger(__name__)

# The arguments that say what was written to. Their values are free text, so only what is an id is repeated;
# userId says who, which only a digest may.
_TARGETS: Final = re.compile(r"(?!userId)([a-z]+Id|id|targetType|status)")
_ID: Final = re.compile(
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9]{1,12}|[a-z]{2,12}(-[a-z]{2,12}){0,2}", re.IGNORECASE
)
_NOT_SHOWN: Final = "(not an id)"


class _AuditFile(WatchedFileHandler):
    """Appends lines, to the new file once a log rotation has moved the old one."""

    def emit(self, record: logging.LogRecord) -> None:
        """Append a line; a file that cannot be opened is an error like one that cannot be written."""
        try:
            super().emit(record)
        except OSError:
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 logging's name
        """Say that a line is lost; logging itself would print the line's values with a traceback."""
        logger.error("a line of the audit could not be written to its file")


class Audit:
    """Writes to the file at ``path`` as JSON, or to the log where there is none; safe with many threads.

    Nothing is opened before the first line.
    """

    def __init__(self, path: str | None = None) -> None:
        self._file: logging.Handler | None = None
        if path is not None:
            self._file = _AuditFile(path, encoding="utf-8", delay=True)
            self._file.setFormatter(JsonFormatter())

    def write(self, fields: Mapping[str, Any]) -> None:
        """Write one line."""
        record = logger.makeRecord(
            logger.name, logging.INFO, __file__, 0, "audit", (), None, extra={"fields": dict(fields)}
        )
        if self._file is not None:
            self._file.handle(record)
        else:
            # Past LOG_LEVEL: whatever that leaves out, the audit stays.
            logger.handle(record)

    def close(self) -> None:
        """Close the file, if there is one."""
        if self._file is not None:
            self._file.close()


def target_of(arguments: Mapping[str, Any]) -> dict[str, str]:
    """Return what a call writes to: its ids, and of a URL the host."""
    shown = {name: _shown(value) for name, value in arguments.items() if _TARGETS.fullmatch(name)}
    return {**shown, "host": _host(arguments["url"])} if "url" in arguments else shown


def _shown(value: Any) -> str:
    return str(value) if isinstance(value, (str, int)) and _ID.fullmatch(str(value)) else _NOT_SHOWN


def _host(url: Any) -> str:
    if not isinstance(url, str):
        return _NOT_SHOWN
    try:
        return urlsplit(url).hostname or _NOT_SHOWN
    except ValueError:
        return _NOT_SHOWN
