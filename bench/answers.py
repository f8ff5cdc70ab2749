"""Whether an answer is right: the status, the id, and what each method's result must hold."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bench import job
from bench.http1 import HttpMessage


class FaultyAnswerError(Exception):
    """An answer that is not what was asked for; the message says why."""


Check = Callable[[dict[str, Any]], bool]


@dataclass
class Request:
    """A request whose id varies; ``check`` tells whether a result is right."""

    before: bytes
    after: bytes
    check: Check
    _seen: tuple[bytes, bytes] | None = None

    def bytes(self, number: int) -> bytes:
        """Return the request with the id ``number``."""
        return b"%b%d%b" % (self.before, number, self.after)

    def verify(self, answer: HttpMessage, number: int) -> None:
        """Raise FaultyAnswerError unless the answer is right.

        The first right answer is read as JSON; a later one that differs from it in the id alone is right too.
        """
        if answer.status == 200 and self._seen is not None:
            before, after = self._seen
            if answer.body == b"%b%d%b" % (before, number, after):
                return
        self._read(answer, number)
        parts = answer.body.split(str(number).encode())
        self._seen = (parts[0], parts[1]) if len(parts) == 2 else None

    def _read(self, answer: HttpMessage, number: int) -> None:
        shown = f"{answer.status} {answer.body[:200]!r}"
        if answer.status != 200:
            raise FaultyAnswerError(shown)
        try:
            message = json.loads(answer.body)
            right = message["id"] == number and self.check(message["result"])
        except (ValueError, KeyError, TypeError):
            right = False
        if not right:
            raise FaultyAnswerError(shown)


def check_of(method: str, version: str, text: str) -> Check:
    """Return what tells a right result of ``method``; ``text`` is what the tool answers this caller."""
    content = [{"type": "text", "text": text}]
    checks: dict[str, Check] = {
        "tools/call": lambda result: result["content"] == content and not result.get("isError"),
        "tools/list": lambda result: len({tool["name"] for tool in result["tools"]}) == job.TOOLS,
        "ping": lambda result: result == {},
        "initialize": lambda result: result["protocolVersion"] == version,
    }
    return checks[method]
