"""The tool call that a thread is making, for every log line that it writes meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final


@dataclass
class CurrentCall:
    """A call under way: ``fields`` name it in each of its log lines, the rest is what it asked upstream.

    ``upstream_status`` is the last status, or the code of the failure; ``upstream_seconds`` the sum.
    """

    fields: Mapping[str, str]
    upstream_requests: int = 0
    upstream_seconds: float = 0.0
    upstream_status: int | str | None = None

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
