"""The tool call that a thread is making, for every log line that it writes meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any, Final


class CurrentCall:
    """A call under way, and what it asked upstream.

    ``describe()`` returns the fields that name it in each of its log lines; it is called for the first line.
    ``upstream_status`` is the last status, or the code of the failure; ``upstream_seconds`` the sum.
    """

    __slots__ = ("_describe", "_fields", "upstream_requests", "upstream_seconds", "upstream_status")

    def __init__(self, describe: Callable[[], Mapping[str, str]]) -> None:
        self._describe = describe
        self._fields: Mapping[str, str] | None = None
        self.upstream_requests = 0
        self.upstream_seconds = 0.0
        self.upstream_status: int | str | None = None

    @property
    def fields(self) -> Mapping[str, str]:
        """What names the call."""
        if self._fields is None:
            self._fields = self._describe()
        return self._fields

    def upstream(self) -> Mapping[str, Any]:
        """Return what was asked upstream as log fields; empty where nothing was."""
        if not self.upstream_requests:
            return {}
        return {
            "upstream_requests": self.upstream_requests,
            "upstream_status": self.upstream_status,
            "upstream_seconds": round(self.upstream_seconds, 3),
        }


CURRENT: Final[ContextVar[CurrentCall | None]] = ContextVar("dbplanet_current_call", default=None)
