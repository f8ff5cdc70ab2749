"""The official client of the Python SDK (``mcp`` 2.x), to be used from plain functions."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import httpx2
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from e2e.wire import Result

MODES = ("auto", "legacy", "2026-07-28")


class Agent:
    """A connected client."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self._portal = portal
        self.client = client

    def tools(self) -> list[Any]:
        """Return the definitions of ``tools/list``."""
        return list(self._portal.call(self.client.list_tools).tools)

    def call(self, tool: str, **arguments: Any) -> Result:
        """Call a tool; the test fails unless it succeeds."""
        result = self.attempt(tool, **arguments)
        assert not result.is_error, result.text
        return result

    def attempt(self, tool: str, **arguments: Any) -> Result:
        """Call a tool; it may fail."""
        answer: Any = self._portal.call(self.client.call_tool, tool, arguments)
        (block,) = answer.content
        return Result(block.text, bool(answer.is_error))


@asynccontextmanager
async def _connected(url: str, headers: Mapping[str, Any], mode: str) -> AsyncIterator[Client]:
    # verify: there is no TLS here, and loading the system's certificates takes longer than a test
    http = httpx2.AsyncClient(headers=headers, trust_env=False, verify=False, timeout=60)
    async with http, Client(streamable_http_client(url, http_client=http), mode=mode) as client:
        yield client


@contextmanager
def agent_in(mode: str, url: str, headers: Mapping[str, Any]) -> Iterator[Agent]:
    """Connect as an agent does: the credentials stand in the headers of every request."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(_connected(url, headers, mode)) as client,
    ):
        yield Agent(portal, client)
