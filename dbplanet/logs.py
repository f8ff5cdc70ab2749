"""Log lines as text or as JSON, one form for all of a process.

A line is a message and fields. The call that the thread is making adds its own: request, tool, tenant by
digest. An exception is logged by type and place: its words may hold what no log should.
"""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Mapping
from datetime import datetime, timezone
from types import TracebackType
from typing import Any, Final

from dbplanet.observing.current import CURRENT
from dbplanet.settings import SettingsError

TEXT: Final = "[%(asctime)s] [%(process)d] [%(levelname)s] %(message)s"

# Exceptions that stop a start, whose words name the setting or the module that is missing.
_SPEAKING: Final = (SettingsError, ImportError)

# A line stays one, whatever a caller wrote into it.
_ESCAPES: Final = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029)}

_ExceptionInfo = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None] | None
)


def fields_of(record: logging.LogRecord) -> Mapping[str, Any]:
    """Return the fields of a line: its own (``extra={"fields": …}``) after those of the call under way."""
    call = CURRENT.get()
    own: Mapping[str, Any] = getattr(record, "fields", {})
    return {**call.fields, **own} if call is not None else own


class TextFormatter(logging.Formatter):
    """``[time] [pid] [LEVEL] message name=value …``."""

    def __init__(self) -> None:
        super().__init__(TEXT, "%Y-%m-%d %H:%M:%S %z")
        self._second: tuple[int, str] = (-1, "")

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802 logging's name
        """Return the time, which is the same text for a second."""
        second, text = self._second
        if second != int(record.created):
            text = super().formatTime(record, datefmt)
            self._second = (int(record.created), text)
        return text

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 logging's name
        """Return the line without an exception."""
        fields = "".join(f" {name}={value}" for name, value in fields_of(record).items())
        line = super().formatMessage(record) + fields
        # Nothing that is escaped is printable.
        return line if line.isprintable() else line.translate(_ESCAPES)

    def formatException(self, ei: _ExceptionInfo) -> str:  # noqa: N802 logging's name
        """Return type and places."""
        return _exception(ei)


class JsonFormatter(logging.Formatter):
    """One object a line: ``time`` (ISO 8601, UTC), ``level``, ``message``, ``logger``, ``pid``, fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, timezone.utc).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "message": record.getMessage(),
            "logger": record.name,
            "pid": record.process,
        }
        if record.exc_info:
            line["exception"] = _exception(record.exc_info)
        # First for a reader's eyes, and last so that no field can take their place.
        # ASCII, since nothing says in which encoding stderr is read.
        return json.dumps({**line, **fields_of(record), **line}, default=str)


def _exception(given: _ExceptionInfo) -> str:
    if given is None or given[1] is None:
        return ""
    error = given[1]
    words = f": {error}" if isinstance(error, _SPEAKING) else ""
    return f"{''.join(traceback.format_tb(error.__traceback__))}{type(error).__name__}{words}"


FORMATTERS: Final[Mapping[str, type[logging.Formatter]]] = {"text": TextFormatter, "json": JsonFormatter}


def log_to_stderr(level: str, form: str = "text") -> None:
    """Let the package's lines of ``level`` and above reach standard error, unless the host logs already."""
    logger = logging.getLogger("dbplanet")
    logger.setLevel(level)
    if not logger.hasHandlers():
        handler = logging.StreamHandler()
        handler.setFormatter(FORMATTERS[form]())
        logger.addHandler(handler)
