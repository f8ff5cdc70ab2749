"""Calling the api server's tools the way a transport does, and what comes of it."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any, NoReturn

from dbplanet.mcp.call import Call
from dbplanet.mcp.identity import Anyone
from dbplanet.mcp.protocol import Message
from dbplanet.mcp.server import McpServer


@dataclass(frozen=True)
class Outcome:
    """One tool result; `seconds` is how long it took."""

    value: dict[str, Any]
    text: str
    is_error: bool
    seconds: float

    @property
    def error(self) -> dict[str, Any]:
        assert self.is_error, self.text
        error: dict[str, Any] = self.value["error"]
        return error

    @property
    def kind(self) -> tuple[str, str]:
        """The error's type and code."""
        return self.error["type"], self.error["details"]["code"]


def outcome_of(result: dict[str, Any], seconds: float = 0.0) -> Outcome:
    """Read a result; its text must be the JSON of its structured content, and whole."""
    (block,) = result["content"]
    value = json.loads(block["text"], parse_constant=_refuse)
    assert value == result["structuredContent"]
    expected = {"error"} if result["isError"] else {"status", "statusText", "headers", "data"}
    assert value.keys() - {"dataEncoding"} == expected
    return Outcome(value, block["text"], result["isError"], seconds)


def _refuse(constant: str) -> NoReturn:
    raise AssertionError(f"{constant} is not JSON")


class Api:
    """The tools of one server."""

    def __init__(self, server: McpServer) -> None:
        self.server = server

    def attempt(self, tool: str, /, **arguments: Any) -> Outcome:
        """Call a tool; it may fail."""
        params = {"name": tool, "arguments": arguments}
        message = Message("tools/call", params, 1, is_notification=False)
        begin = time.monotonic()
        result = self.server.handle(
            message, Call(modern=False, identity=Anyone(), scope=self.server.scope_of({}))
        )
        return outcome_of(result, time.monotonic() - begin)

    def call(self, tool: str, /, **arguments: Any) -> Outcome:
        """Call a tool; the test fails unless it succeeds."""
        outcome = self.attempt(tool, **arguments)
        assert not outcome.is_error, outcome.text
        return outcome
