"""GraphQL APIs in this process: ready answers, executable schemas, and the clubber server over them."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import flask
from graphql import GraphQLSchema, build_schema, graphql_sync
from werkzeug.serving import make_server

from dbplanet.clubber import clubber_server
from dbplanet.mcp.call import Call
from dbplanet.mcp.identity import Anyone
from dbplanet.mcp.protocol import Message
from dbplanet.mcp.scope import Scope

logging.getLogger("werkzeug").setLevel(logging.CRITICAL)

READ_ONLY = Scope(read_only=True)


@contextmanager
def served(app: Any, path: str = "/graphql") -> Iterator[str]:
    """Serve a WSGI application on a free port; yield its GraphQL URL."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{path}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def answering(answer: Callable[[dict[str, Any]], tuple[int, str, str]]) -> Iterator[tuple[str, list[Any]]]:
    """Serve ``answer(body) → (status, content type, text)``; yield the URL and the bodies received."""
    app, received = flask.Flask(__name__), []

    @app.post("/graphql")
    def graphql() -> flask.Response:
        body = json.loads(flask.request.data)
        received.append(body)
        status, content_type, text = answer(body)
        return flask.Response(text, status, content_type=content_type)

    with served(app) as url:
        yield url, received


def is_introspection(body: dict[str, Any]) -> bool:
    return "__schema" in body["query"]


def executing(sdl: str | GraphQLSchema, root: Any = None) -> Callable[[dict[str, Any]], tuple[int, str, str]]:
    """Answer as an API with this schema and these root values or functions."""
    schema = build_schema(sdl) if isinstance(sdl, str) else sdl

    def answer(body: dict[str, Any]) -> tuple[int, str, str]:
        result = graphql_sync(
            schema,
            body["query"],
            root_value=root,
            variable_values=body.get("variables"),
            operation_name=body.get("operationName"),
        )
        return 200, "application/json", json.dumps(result.formatted)

    return answer


class Client:
    """Calls tools of a clubber server without any transport."""

    def __init__(self, url: str, **options: Any) -> None:
        self.scope = options.get("scope", Scope())
        self._server = clubber_server(url, **options)

    def request(self, method: str, **params: Any) -> dict[str, Any]:
        call = Call(modern=False, identity=Anyone(), scope=self.scope)
        return self._server.handle(Message(method, params, 1, False), call)

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        return self.request("tools/call", name=name, arguments=arguments)

    def text(self, name: str, **arguments: Any) -> str:
        """Return the first text of a call that must succeed."""
        result = self.call(name, **arguments)
        assert not result["isError"], result
        return str(result["content"][0]["text"])

    def error(self, name: str, **arguments: Any) -> str:
        """Return the text of a call that must fail."""
        result = self.call(name, **arguments)
        assert result["isError"], result
        (block,) = result["content"]
        return str(block["text"])
