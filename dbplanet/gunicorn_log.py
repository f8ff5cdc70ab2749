"""gunicorn's own log lines in the form of ours, and everybody else's in the process with them."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from types import TracebackType
from typing import Any, Final

from gunicorn.glogging import Logger  # type: ignore[import-untyped]

from dbplanet.logs import FORMATTERS

# How gunicorn 27 begins the line of a request that it cannot read; the sender's address follows.
_INVALID: Final = "Invalid request from ip="

logger = logging.getLogger(__name__)


def logger_class(form: str) -> type[Logger]:
    """Return gunicorn's ``logger_class`` for LOG_FORMAT ``form``."""

    class Log(Logger):  # type: ignore[misc] # gunicorn is not typed
        """Keeps gunicorn's choice of levels and files, and changes the form alone."""

        def setup(self, cfg: Any) -> None:
            """Set the handlers up, at the start and at each reload."""
            super().setup(cfg)
            for log in (self.error_log, self.access_log):
                for handler in log.handlers:
                    handler.setFormatter(FORMATTERS[form]())
            _log_the_rest(FORMATTERS[form]())

        def warning(self, msg: str, *args: Any, **options: Any) -> None:
            """Log a warning; of an unreadable request, whose words may be a secret, the sender alone."""
            if msg.startswith(_INVALID):
                msg, args = _INVALID + msg.removeprefix(_INVALID).split(": ", 1)[0].replace("%", "%%"), ()
            super().warning(msg, *args, **options)

    return Log


def _log_the_rest(formatter: logging.Formatter) -> None:
    """Let what would be a bare line on stderr go through the root logger.

    That is a library's warning, and what ends a thread or a destructor: Python would print its words.
    """
    threading.excepthook = lambda lost: _log_lost("a thread", lost.exc_type, lost.exc_traceback)
    sys.unraisablehook = lambda lost: _log_lost("a destructor", lost.exc_type, lost.exc_traceback)
    root = logging.getLogger()
    if not root.handlers:
        root.addHandler(logging.StreamHandler())
    for handler in root.handlers:
        handler.setFormatter(formatter)
    logging.captureWarnings(True)


def _log_lost(where: str, kind: type[BaseException], trace: TracebackType | None) -> None:
    logger.error("%s failed: %s\n%s", where, kind.__name__, "".join(traceback.format_tb(trace)))
