"""The official client over stdio and over HTTP, against a real server that it reaches through the tools."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import flask
import httpx2
import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from werkzeug.serving import make_server

from dbplanet.httpapi import api_server
from dbplanet.httpapi.jsontext import MAX_DEPTH
from dbplanet.mcp import Endpoint, mcp_blueprint
from e2e.egress.egress_servers import Peer, ok, serving
from e2e.httpapi.api_calls import Outcome, outcome_of

PROGRAM = Path(__file__).with_name("stdio_program.py")
JSON = "Content-Type: application/json"
DEEPEST = b"[" * MAX_DEPTH + b"1" + b"]" * MAX_DEPTH

#: path -> what the target answers there; anywhere else it tells what it was asked
PAGES: dict[str, bytes] = {
    "/latin": ok("Grüße".encode("latin-1"), "Content-Type: text/plain; charset=iso-8859-1"),
    "/bom": ok(b"\xef\xbb\xbf[1]", JSON),
    "/nan": ok(b"[NaN]", JSON),
    "/deep": ok(DEEPEST, JSON),
    "/deeper": ok(b"[" * 5000 + b"]" * 5000, JSON),
    "/half": ok(b'["\\ud800"]', JSON),
    "/large": ok(json.dumps(["ü" * 1000] * 1000).encode(), JSON),
    "/empty": ok(b"", status="204 No Content"),
    "/image": ok(b"\x89PNG\xff", "Content-Type: image/png"),
    "/down": ok(b"<h1>Bad Gateway</h1>", "Content-Type: text/html", status="502 Bad Gateway"),
    "/missing": ok(b'{"why": "none"}', JSON, status="404 Not Found"),
}


def target(peer: Peer) -> None:
    while request := peer.read_request():
        head, _, body = request.partition(b"\r\n\r\n")
        method, path, _ = head.split(b"\r\n")[0].decode().split(" ")
        fields = dict(line.split(": ", 1) for line in head.decode("latin-1").split("\r\n")[1:])
        told = {
            "method": method,
            "type": fields.get("Content-Type"),
            "own": fields.get("X-Own"),
            "body": body.decode(),
        }
        peer.send(PAGES.get(path) or ok(json.dumps(told).encode(), JSON))


@contextmanager
def over_http(net: str) -> Iterator[str]:
    """Serve the tools to HTTP clients from a host application; yield the endpoint's URL."""
    app = flask.Flask(__name__)
    app.register_blueprint(mcp_blueprint("api", {"/mcp": Endpoint(api_server(version="1", nets=[net]))}))
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/mcp"
    server.shutdown()
    thread.join()
    server.server_close()


@asynccontextmanager
async def connected(place: str | StdioServerParameters, mode: str) -> AsyncIterator[Client]:
    if isinstance(place, StdioServerParameters):
        async with Client(place, mode=mode) as client:
            yield client
    else:
        http = httpx2.AsyncClient(trust_env=False, verify=False, timeout=30)
        async with http, Client(streamable_http_client(place, http_client=http), mode=mode) as client:
            yield client


class Agent:
    """A connected client; `url` is the target's origin."""

    def __init__(self, portal: Any, client: Client, url: str) -> None:
        self._portal, self._client, self.url = portal, client, url

    def tools(self) -> list[str]:
        return [tool.name for tool in self._portal.call(self._client.list_tools).tools]

    def attempt(self, tool: str, path: str, **arguments: Any) -> Outcome:
        given = {"url": self.url + path, **arguments}
        answer = self._portal.call(self._client.call_tool, tool, given)
        return outcome_of(answer.model_dump(by_alias=True, mode="json"))

    def data(self, tool: str, path: str, **arguments: Any) -> Any:
        outcome = self.attempt(tool, path, **arguments)
        assert not outcome.is_error, outcome.text
        return outcome.value["data"]


@pytest.fixture(scope="module", params=["stdio legacy", "stdio auto", "http legacy", "http 2026-07-28"])
def agent(request: pytest.FixtureRequest) -> Iterator[Agent]:
    transport, mode = request.param.split()
    with ExitStack() as stack:
        port = stack.enter_context(serving(target)).port
        net = f"127.0.0.1/32:{port}"
        place: str | StdioServerParameters
        if transport == "stdio":
            place = StdioServerParameters(command=sys.executable, args=[str(PROGRAM), net])
        else:
            place = stack.enter_context(over_http(net))
        portal = stack.enter_context(start_blocking_portal())
        client = stack.enter_context(portal.wrap_async_context_manager(connected(place, mode)))
        yield Agent(portal, client, f"http://127.0.0.1:{port}")


def test_the_four_tools_are_listed(agent: Agent) -> None:
    assert agent.tools() == ["api_get", "api_post", "api_put", "api_delete"]


@pytest.mark.parametrize("tool", ["api_get", "api_delete"])
def test_get_and_delete_reach_the_target(agent: Agent, tool: str) -> None:
    outcome = agent.attempt(tool, "/x", headers={"X-Own": "1"})
    assert not outcome.is_error
    assert (outcome.value["status"], outcome.value["statusText"]) == (200, "OK")
    assert outcome.value["headers"]["content-type"] == "application/json"
    method = tool.removeprefix("api_").upper()
    assert outcome.value["data"] == {"method": method, "type": None, "own": "1", "body": ""}


@pytest.mark.parametrize("tool", ["api_post", "api_put"])
@pytest.mark.parametrize(
    ("body", "content_type", "received"),
    [
        ({"name": "ü"}, "application/json", '{"name":"ü"}'),
        ([1, "a"], "application/json", '[1,"a"]'),
        ('{"name": "ü"}', "application/json", '{"name": "ü"}'),
        ("plain ü", "text/plain; charset=utf-8", "plain ü"),
    ],
)
def test_post_and_put_reach_the_target_with_object_and_string(
    agent: Agent, tool: str, body: Any, content_type: str, received: str
) -> None:
    method = tool.removeprefix("api_").upper()
    told = agent.data(tool, "/x", body=body)
    assert told == {"method": method, "type": content_type, "own": None, "body": received}


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("/latin", "Grüße"),
        ("/bom", [1]),
        ("/deep", json.loads(DEEPEST)),
        ("/half", ["\ufffd"]),
        ("/large", ["ü" * 1000] * 1000),
        ("/empty", None),
        ("/image", {"encoding": "base64", "contentType": "image/png", "size": 5, "base64": "iVBOR/8="}),
    ],
)
def test_every_kind_of_answer_arrives(agent: Agent, path: str, data: Any) -> None:
    assert agent.data("api_get", path) == data


@pytest.mark.parametrize(
    ("path", "kind", "status", "data"),
    [
        ("/nan", ("parsing", "invalid_json_response"), 200, "[NaN]"),
        ("/deeper", ("parsing", "invalid_json_response"), 200, "[" * 2000),
        ("/down", ("http", "http_status"), 502, "<h1>Bad Gateway</h1>"),
        ("/missing", ("http", "http_status"), 404, {"why": "none"}),
    ],
)
def test_every_kind_of_failure_arrives(
    agent: Agent, path: str, kind: tuple[str, str], status: int, data: Any
) -> None:
    outcome = agent.attempt("api_get", path)
    assert outcome.kind == kind
    assert outcome.error["statusCode"] == status
    assert outcome.error["details"]["data"] == data
    assert "content-type" in outcome.error["details"]["headers"]


def test_what_the_operator_did_not_permit_is_refused(agent: Agent) -> None:
    for url in ("http://127.0.0.1:1/", "http://127.0.0.9/", "http://localhost/", "http://10.0.0.1/"):
        assert agent.attempt("api_get", "", url=url).kind == ("validation", "blocked")


def test_wrong_arguments_arrive_as_a_result(agent: Agent) -> None:
    assert agent.attempt("api_post", "/", body=5).kind == ("validation", "invalid_body")
    assert agent.attempt("api_get", "/", headers="x").kind == ("validation", "invalid_headers")
    assert agent.attempt("api_get", "/", bad=1).kind == ("validation", "invalid_arguments")
