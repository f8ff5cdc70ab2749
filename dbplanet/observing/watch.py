"""The observer of one MCP server: what it sees becomes a log line, an audit line and numbers."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlsplit

from dbplanet.mcp.observer import ASKED, ObservedCall
from dbplanet.observing.audit import Audit, target_of
from dbplanet.observing.callers import Name, trace_of
from dbplanet.observing.current import CURRENT, CurrentCall

logger = logging.getLogger(__name__)


class Numbers(Protocol):
    """Where calls are counted; ``server`` and ``tool`` are names of ours, never a caller's."""

    def count_call(self, server: str, tool: str, outcome: str, seconds: float) -> None:
        """Count one tool call."""

    def count_upstream(self, server: str, kind: str, outcome: int | str, seconds: float) -> None:
        """Count one request to upstream: ``kind`` is token or api, ``outcome`` a status or a code."""


@dataclass(frozen=True)
class Watch:
    """An ``Observer`` for the engine, whose ``upstream`` is one for the guard.

    ``name`` names callers in logs; a call of ``slow_seconds`` or more is logged as a warning; upstream
    requests to ``token_path`` are for a token.
    """

    server: str
    name: Name
    audit: Audit
    slow_seconds: float
    numbers: Numbers | None = None
    token_path: str | None = None

    def started(self, call: ObservedCall) -> None:
        """Make the call the current one of its thread."""
        CURRENT.set(CurrentCall(lambda: self._describe(call)))

    def _describe(self, call: ObservedCall) -> dict[str, str]:
        fields = {
            "request_id": call.request_id,
            "server": self.server,
            "tool": call.tool,
            **self.name(call.identity),
            "caller_token": call.token,
            **trace_of(call.meta),
        }
        return {name: value for name, value in fields.items() if value}

    def finished(self, call: ObservedCall, outcome: str, seconds: float) -> None:
        """Tell how it ended."""
        try:
            self._tell(call, outcome, seconds)
        finally:
            # Whatever this thread does next is another caller's.
            CURRENT.set(None)

    def _tell(self, call: ObservedCall, outcome: str, seconds: float) -> None:
        slow = seconds >= self.slow_seconds
        level = logging.WARNING if slow else logging.INFO
        if logger.isEnabledFor(level):
            current = CURRENT.get()
            upstream = current.upstream() if current is not None else {}
            fields = {**_ended(outcome, seconds), **upstream}
            message = "slow tool call" if slow else "tool call"
            # logger.log() would look through the stack for who calls, a fifth of a line's time
            record = logger.makeRecord(logger.name, level, "", 0, message, (), None, extra={"fields": fields})
            logger.handle(record)
        if call.writes and outcome != ASKED:
            self._audit(call, outcome, seconds)
        if self.numbers is not None:
            self.numbers.count_call(self.server, call.tool, outcome, seconds)

    def _audit(self, call: ObservedCall, outcome: str, seconds: float) -> None:
        current = CURRENT.get()
        named = current.fields if current is not None else {}
        self.audit.write({**named, **_ended(outcome, seconds), "target": target_of(call.arguments)})

    def upstream(self, url: str, outcome: int | str, seconds: float) -> None:
        """Tell of one request that the guard has sent; ``outcome`` is a status, or the code of a failure."""
        kind = "token" if _is_at(url, self.token_path) else "api"
        current = CURRENT.get()
        if current is not None:
            current.upstream_requests += 1
            current.upstream_seconds += seconds
            current.upstream_status = outcome
        if logger.isEnabledFor(logging.DEBUG):
            seen = {"kind": kind, "upstream_status": outcome, "seconds": round(seconds, 3)}
            logger.debug("upstream request", extra={"fields": seen})
        if self.numbers is not None:
            self.numbers.count_upstream(self.server, kind, outcome, seconds)


def _ended(outcome: str, seconds: float) -> dict[str, Any]:
    return {"outcome": outcome, "seconds": round(seconds, 3)}


def _is_at(url: str, path: str | None) -> bool:
    """Tell whether ``path`` is the URL's; a look saves taking the others apart."""
    try:
        return path is not None and path in url and urlsplit(url).path == path
    except ValueError:
        return False
