"""gunicorn's own log lines in the form of ours, and everybody else's in the process with them."""

from __future__ import annotations

import logging
from typing import Any

from gunicorn.glogging import Logger  # type: ignore[import-untyped]

from dbplanet.logs import FORMATTERS


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

    return Log


def _log_the_rest(formatter: logging.Formatter) -> None:
    """Give the root logger a handler: without one, a library's warning is a bare line on stderr."""
    root = logging.getLogger()
    if not root.handlers:
        root.addHandler(logging.StreamHandler())
    for handler in root.handlers:
        handler.setFormatter(formatter)
    logging.captureWarnings(True)
