"""Talking to a server the way curl does: JSON over POST, nothing remembered between two requests."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import requests

from e2e.processes import Process

PATH = "/servers/dbplanet/mcp"
SESSION = "Mcp-Session-Id"

Headers = Mapping[str, str | bytes | None]
T = TypeVar("T")


@dataclass(frozen=True)
class Result:
    """What a tool said."""

    text: str
    is_error: bool

    @property
    def first_line(self) -> str:
        """The line that says what this is."""
        return self.text.partition("\n")[0]

    def field(self, label: str) -> str:
        """Return the first value of a labelled line; the test fails where there is none."""
        found = re.search(rf"^\s*{re.escape(label)}: (.+)$", self.text, re.MULTILINE)
        assert found, f"no {label!r} in:\n{self.text}"
        return found[1]

    def items(self) -> Iterator[dict[str, str]]:
        """Yield the labelled fields of each numbered item, its heading as ``title``."""
        for block in re.split(r"^(?=\d+\. )", self.text, flags=re.MULTILINE)[1:]:
            title = block.partition("\n")[0].partition(". ")[2]
            yield {"title": title, **dict(re.findall(r"^   ([\w ]+): (.+)$", block, re.MULTILINE))}


def message(method: str, params: Any = None, message_id: Any = 1) -> dict[str, Any]:
    """Return one JSON-RPC request."""
    body = {"jsonrpc": "2.0", "id": message_id, "method": method}
    return body if params is None else {**body, "params": params}


@dataclass(frozen=True)
class Server:
    """A running MCP server; ``url`` is its MCP endpoint."""

    url: str
    process: Process

    def request(self, method: str, headers: Headers, **options: Any) -> requests.Response:
        """Send one request on a connection of its own, without anything of the environment."""
        with requests.Session() as session:
            session.trust_env = False
            return session.request(method, self.url, headers=headers, timeout=60, **options)

    def post(self, body: Any, headers: Headers | None = None) -> requests.Response:
        """Post one JSON value."""
        return self.request("POST", headers or {}, json=body)

    def call(
        self, tool: str, arguments: Mapping[str, Any] | None = None, headers: Headers | None = None
    ) -> Result:
        """Call a tool, without ``initialize``; the answer must be a result with HTTP 200."""
        return self.call_with_id(1, tool, arguments, headers)

    def call_with_id(
        self, message_id: Any, tool: str, arguments: Mapping[str, Any] | None, headers: Headers | None
    ) -> Result:
        """Call a tool with a JSON-RPC id, which must come back."""
        params = {"name": tool, "arguments": arguments or {}}
        answer = self.post(message("tools/call", params, message_id), headers)
        assert answer.status_code == 200, (answer.status_code, answer.text)
        body = answer.json()
        assert (body["jsonrpc"], body["id"]) == ("2.0", message_id)
        (block,) = body["result"]["content"]
        assert block["type"] == "text"
        return Result(block["text"], body["result"]["isError"])

    def workers(self) -> list[int]:
        """Return the process ids of all workers that were ever started."""
        return [int(pid) for pid in re.findall(r"Booting worker with pid: (\d+)", self.process.output())]

    def ready(self) -> tuple[int, Any]:
        """Return status and body of ``/ready``."""
        answer = self._get("/ready")
        return answer.status_code, answer.json()

    def health(self) -> int:
        """Return the status of ``/health``."""
        return self._get("/health").status_code

    def _get(self, path: str) -> requests.Response:
        with requests.Session() as session:
            session.trust_env = False
            return session.get(self.url.replace(PATH, path), timeout=60)

    def initialize(self, headers: Headers) -> requests.Response:
        """Send ``initialize`` as a client of 2025-11-25 does."""
        params = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        }
        return self.post(message("initialize", params), headers)

    def session(self, headers: Headers) -> dict[str, str]:
        """Open a session; return the one header that later requests need."""
        return {SESSION: self.initialize(headers).headers[SESSION]}


def at_once(count: int, act: Callable[[int], T]) -> list[T]:
    """Run ``act(0)`` … ``act(count - 1)`` in threads that start together; return their results in order."""
    barrier = threading.Barrier(count)

    def run(number: int) -> T:
        barrier.wait(30)
        return act(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))
