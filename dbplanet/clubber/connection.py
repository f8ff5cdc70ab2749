"""What the handlers of the clubber tools get: the endpoint, and what bounds their answers."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dbplanet.clubber.endpoint import ApiCall, Endpoint
from dbplanet.clubber.faults import FaultsError
from dbplanet.clubber.results import shortened
from dbplanet.mcp.results import ToolResult


@dataclass(frozen=True)
class Connection:
    """One caller's view of the API, whose endpoint all callers share."""

    endpoint: Endpoint
    max_text_chars: int
    read_only: bool = False

    def call(self) -> ApiCall:
        """Return the requests of one tool call; its time runs from now."""
        return ApiCall(self.endpoint)

    def close(self) -> None:
        """Give nothing back: no request leaves a connection behind."""


def with_faults(handler: Callable[..., ToolResult]) -> Callable[..., ToolResult]:
    """Make a handler's FaultsError its answer: the engine's ToolError has no structured content."""

    @functools.wraps(handler)
    def handle(connection: Connection, **arguments: Any) -> ToolResult:
        try:
            return handler(connection, **arguments)
        except FaultsError as error:
            # Half for the data, which stand in the text with the errors before them.
            return error.result(lambda data: shortened(data, connection.max_text_chars // 2))

    return handle
