"""What a handler may do with the call it runs in: report progress, log, ask the user, notice the end.

A handler gets one by declaring a parameter of type ``Context``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from dbplanet.mcp.protocol import LOG_LEVELS, MISSING_CLIENT_CAPABILITY, RpcError

Emit = Callable[[dict[str, Any]], None]

# What the user or the client is asked for → the capability that a client declares for it.
ASKING: Final = {
    "elicitation/create": "elicitation",
    "sampling/createMessage": "sampling",
    "roots/list": "roots",
}


class Cancelled(Exception):  # noqa: N818 the caller is gone; nothing is wrong
    """Raised by ``Context.check`` when nobody waits for the answer any more."""


class InputRequired(Exception):  # noqa: N818 a step of a call, not an error
    """A handler's way to ask: the call ends here and comes back with the answers."""

    def __init__(self, requests: Mapping[str, Any], state: Any = None) -> None:
        super().__init__()
        self.requests = dict(requests)
        self.state = state


@dataclass(slots=True)
class Context:
    """One call. ``emit`` sends a notification to the caller, and is None where none can be sent.

    ``answers`` and ``state`` are what came back for an earlier ``ask`` of the same call; ``capabilities`` are
    the client's; ``cancelled`` is None where nothing can cancel the call.
    """

    progress_token: str | int | None = None
    log_level: str | None = None
    emit: Emit | None = None
    capabilities: Mapping[str, Any] = field(default_factory=dict)
    answers: Mapping[str, Any] = field(default_factory=dict)
    state: Any = None
    can_ask: bool = False
    cancelled: threading.Event | None = None

    def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Report progress; ``done`` must grow from call to call. Without a progress token nothing is sent."""
        self.check()
        if self.progress_token is None or self.emit is None:
            return
        params = {"progressToken": self.progress_token, "progress": done, "total": total, "message": message}
        self._send("notifications/progress", params)

    def log(self, level: str, data: Any, logger: str | None = None) -> None:
        """Send a log message if the caller asked for this level."""
        self.check()
        wanted = self.log_level
        if wanted is None or self.emit is None or LOG_LEVELS.index(level) < LOG_LEVELS.index(wanted):
            return
        self._send("notifications/message", {"level": level, "data": data, "logger": logger})

    def check(self) -> None:
        """Raise Cancelled when the caller has gone away."""
        if self.cancelled is not None and self.cancelled.is_set():
            raise Cancelled

    def may_ask(self, method: str = "elicitation/create") -> bool:
        """Tell whether the caller can be asked this way."""
        return self.can_ask and ASKING[method] in self.capabilities

    def ask(self, requests: Mapping[str, Mapping[str, Any]], state: Any = None) -> Mapping[str, Any]:
        """Return the answers to ``requests`` (key → method and params), asking for those that are missing.

        Raises InputRequired where an answer is missing, and RpcError -32021 where the client did not
        declare what it is asked for.
        """
        needed = {ASKING[request["method"]] for request in requests.values()}
        missing: dict[str, Any] = {
            name: {} for name in sorted(needed) if not self.can_ask or name not in self.capabilities
        }
        if missing:
            data = {"requiredCapabilities": missing}
            raise RpcError(MISSING_CLIENT_CAPABILITY, "Missing required client capability", data=data)
        if any(key not in self.answers for key in requests):
            raise InputRequired(requests, state)
        return self.answers

    def _send(self, method: str, params: Mapping[str, Any]) -> None:
        given = {name: value for name, value in params.items() if value is not None}
        if self.emit is not None:
            self.emit({"jsonrpc": "2.0", "method": method, "params": given})


def elicitation(message: str, properties: Mapping[str, Any], required: list[str]) -> dict[str, Any]:
    """Return a request for a form: ``properties`` is flat JSON schema."""
    schema = {"type": "object", "properties": dict(properties), "required": required}
    return {
        "method": "elicitation/create",
        "params": {"mode": "form", "message": message, "requestedSchema": schema},
    }
