"""The official client (``mcp`` 2.x) over both transports, for plain functions."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

import flask
import httpx2
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from dbplanet.clubber import clubber_server
from dbplanet.mcp.blueprint import mcp_blueprint
from dbplanet.mcp.http import Endpoint
from dbplanet.mcp.policy import HostPolicy
from dbplanet.mcp.session_rules import SessionRules
from dbplanet.mcp.sessions import MemorySessions
from e2e.processes import environment
from unit.clubber.clubber_apis import served

PATH = "/servers/clubber/mcp"


@dataclass(frozen=True)
class Answer:
    """What a tool gave: its text blocks, its structured content, and whether it is an error."""

    texts: list[str]
    structured: Any
    is_error: bool

    @property
    def text(self) -> str:
        return self.texts[0]

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class Agent:
    """A connected client."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self._portal = portal
        self._client = client

    def tools(self) -> list[str]:
        return [tool.name for tool in self._portal.call(self._client.list_tools).tools]

    def attempt(self, tool: str, **arguments: Any) -> Answer:
        answer: Any = self._portal.call(self._client.call_tool, tool, arguments)
        return Answer(
            [block.text for block in answer.content], answer.structured_content, bool(answer.is_error)
        )

    def call(self, tool: str, **arguments: Any) -> Answer:
        answer = self.attempt(tool, **arguments)
        assert not answer.is_error, answer.texts
        return answer

    def fail(self, tool: str, **arguments: Any) -> str:
        answer = self.attempt(tool, **arguments)
        assert answer.is_error, answer.texts
        return answer.text


@asynccontextmanager
async def _over_http(url: str) -> AsyncIterator[Client]:
    # verify: there is no TLS here, and loading the system's certificates takes longer than a test
    http = httpx2.AsyncClient(trust_env=False, verify=False, timeout=60)
    async with http, Client(streamable_http_client(url, http_client=http)) as client:
        yield client


@asynccontextmanager
async def _over_stdio(settings: dict[str, str]) -> AsyncIterator[Client]:
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "dbplanet.clubber"], env=environment(settings)
    )
    async with Client(stdio_client(command)) as client:
        yield client


@contextmanager
def _agent(connected: Any) -> Iterator[Agent]:
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(connected) as client:
        yield Agent(portal, client)


@contextmanager
def http_agent(api_url: str) -> Iterator[Agent]:
    """Connect over Streamable HTTP to a server of its own over ``api_url``."""
    app = flask.Flask("clubber-under-test")
    rules = SessionRules(MemorySessions(3600))
    endpoint = Endpoint(clubber_server(api_url), rules, policy=HostPolicy(), max_request_bytes=1_000_000)
    app.register_blueprint(mcp_blueprint("mcp", {PATH: endpoint}))
    with served(app, PATH) as url, _agent(_over_http(url)) as agent:
        yield agent


@contextmanager
def stdio_agent(api_url: str, **settings: str) -> Iterator[Agent]:
    """Start ``python -m dbplanet.clubber`` over ``api_url`` and connect to it."""
    with _agent(_over_stdio({"CLUBBER_API_URL": api_url, **settings})) as agent:
        yield agent


TRANSPORTS = {"http": http_agent, "stdio": stdio_agent}
