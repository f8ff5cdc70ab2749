"""One hook for whoever watches the tool calls: logs, metrics, an audit.

The engine reports the calls of tools that exist, so that whatever an observer counts by name is bounded.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Protocol

from dbplanet.mcp.context import Cancelled, InputRequired
from dbplanet.mcp.identity import Identity
from dbplanet.mcp.protocol import RpcError

logger = logging.getLogger(__name__)

OK: Final = "ok"
ERROR: Final = "error"
FAULT: Final = "fault"
ASKED: Final = "asked"
CANCELLED: Final = "cancelled"
REFUSED: Final = "refused"

# How a call ends that has no result.
_ENDINGS: Final[Mapping[type[BaseException], str]] = {
    InputRequired: ASKED,
    Cancelled: CANCELLED,
    RpcError: REFUSED,
}


@dataclass(slots=True)
class ObservedCall:
    """A tool call under way.

    ``identity`` is the caller's, or the session's; ``arguments`` and ``meta`` (the call's ``_meta``) are as
    the caller sent them; ``request_id`` names the HTTP request, and is empty where there is none; ``token``
    says which of the access tokens it brought, counted from 1, and is empty where none is asked for.
    """

    tool: str
    writes: bool
    identity: Identity
    arguments: Mapping[str, Any] = field(repr=False)
    meta: Mapping[str, Any] = field(repr=False)
    request_id: str
    token: str


class Observer(Protocol):
    """Told of each call in its own thread: what it does delays the call, what it raises is logged."""

    def started(self, call: ObservedCall) -> None:
        """Called before the handler."""

    def finished(self, call: ObservedCall, outcome: str, seconds: float) -> None:
        """Called after it.

        ``outcome`` is ok, the label of the error (``404``, ``TIMEOUT``), error for a result that says so
        itself, fault for a mistake of ours, asked (the user is, and the call comes again), cancelled, or
        refused (a protocol error).
        """


class Observation:
    """Watches one call for the time of a ``with`` block; with no observer it does nothing."""

    def __init__(self, observer: Observer | None, call: ObservedCall | None) -> None:
        self._observer = observer
        self._call = call
        self.outcome = OK

    def __enter__(self) -> Observation:
        if self._observer is not None and self._call is not None:
            self._begun = time.perf_counter()
            _tell(self._observer.started, self._call)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._observer is not None and self._call is not None:
            outcome = self.outcome if kind is None else _ENDINGS.get(kind, FAULT)
            _tell(self._observer.finished, self._call, outcome, time.perf_counter() - self._begun)


def _tell(observe: Callable[..., None], *seen: Any) -> None:
    """Tell the observer. Its failure must not become the call's: what a tool wrote is written."""
    try:
        observe(*seen)
    except Exception as error:
        logger.error("the observer failed: %s", type(error).__name__)
