"""The engine inside a Flask application: a blueprint with one rule per MCP server."""

from __future__ import annotations

import re
import secrets
import select
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import flask
from flask.sansio.blueprints import BlueprintSetupState
from werkzeug.routing import Rule

from dbplanet.mcp.http import Endpoint
from dbplanet.mcp.message import Reply, Request
from dbplanet.mcp.protocol import INVALID_REQUEST, RpcError

# WSGI keeps these two without the HTTP_ prefix.
_UNPREFIXED: Final = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}

_REQUEST_ID: Final = re.compile(r"[0-9a-f]{8}[0-9a-f-]{0,56}", re.IGNORECASE)


class EnvironHeaders(Mapping[str, str]):
    """The headers of a WSGI environ by lower-case name, white space around the values removed."""

    def __init__(self, environ: Mapping[str, Any]) -> None:
        self._environ = environ

    def __getitem__(self, name: str) -> str:
        key = _UNPREFIXED.get(name) or f"HTTP_{name.upper().replace('-', '_')}"
        value: str = self._environ[key]
        return value.strip(" \t")

    def __iter__(self) -> Iterator[str]:
        for key in self._environ:
            if key.startswith("HTTP_"):
                yield key[5:].replace("_", "-").lower()
        yield from (name for name, key in _UNPREFIXED.items() if key in self._environ)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def mcp_blueprint(name: str, endpoints: Mapping[str, Endpoint]) -> flask.Blueprint:
    """Return a blueprint that serves each endpoint at its path, with and without a final slash."""
    blueprint = flask.Blueprint(name, __name__)
    for path, endpoint in endpoints.items():
        blueprint.record(_rule(path, _view(endpoint)))
    return blueprint


def _view(endpoint: Endpoint) -> Callable[[], flask.Response]:
    def view() -> flask.Response:
        return _response(endpoint.respond(_request(flask.request)))

    return view


def _rule(path: str, view: Callable[[], flask.Response]) -> Callable[[BlueprintSetupState], None]:
    """Return what adds a rule for *every* method: a routing 405 never reaches a blueprint."""

    def add(state: BlueprintSetupState) -> None:
        endpoint = f"{state.blueprint.name}{path.replace('/', '.')}"
        rule = Rule(f"{state.url_prefix or ''}{path}", endpoint=endpoint, strict_slashes=False)
        state.app.url_map.add(rule)
        state.app.view_functions[endpoint] = view

    return add


def _request(request: flask.Request) -> Request:
    # A stream goes on after Flask's request context has ended; the environ does not need it.
    environ = request.environ
    return Request(
        method=request.method,
        headers=EnvironHeaders(environ),
        read_body=lambda limit: _read_body(request, limit),
        multiprocess=bool(environ.get("wsgi.multiprocess")),
        gone=lambda: _is_closed(_socket_of(environ)),
        request_id=_request_id(environ.get("HTTP_X_REQUEST_ID", "")),
    )


def _request_id(given: str) -> str:
    """Return the id that a proxy gave the request, or a new one.

    Only hexadecimal ids are taken, as nginx, Envoy and cloud routers make them: it goes into logs.
    """
    return given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)


def _read_body(request: flask.Request, limit: int) -> bytes:
    """Return the body, refusing a declared or a streamed length over ``limit``."""
    try:
        if request.content_length is None:
            # Chunked: get_data() would hand over a body cut at the limit as if it were whole.
            # (After a host's hook that read the body, the stream is empty and get_data() has it.)
            body = request.stream.read(limit + 1) or request.get_data()
        else:
            body = request.get_data() if request.content_length <= limit else b""
    except Exception:
        # A server's own exceptions for broken chunks have no class in common.
        raise _unreadable_body() from None
    if request.content_length is not None and len(body) < request.content_length <= limit:
        raise _unreadable_body()
    if max(len(body), request.content_length or 0) > limit:
        raise RpcError(INVALID_REQUEST, f"Content Too Large: the most is {limit} bytes", status=413)
    return body


def _unreadable_body() -> RpcError:
    return RpcError(INVALID_REQUEST, "Bad Request: the body could not be read whole", status=400)


def _socket_of(environ: Mapping[str, Any]) -> socket.socket | None:
    """Return the client's socket, which gunicorn and Werkzeug hand to the application."""
    return environ.get("gunicorn.socket") or environ.get("werkzeug.socket")


def _is_closed(connection: socket.socket | None) -> bool:
    """Tell whether the client has closed; only a look shows it before something is written."""
    if connection is None or isinstance(connection, ssl.SSLSocket):
        return False
    try:
        readable, _, _ = select.select([connection], [], [], 0)
        return bool(readable) and connection.recv(1, socket.MSG_PEEK) == b""
    except (OSError, ValueError):
        return True


def _response(reply: Reply) -> flask.Response:
    response = flask.Response(reply.body if reply.stream is None else reply.stream, reply.status)
    # Flask's default of text/html would stand on empty answers too.
    del response.headers["Content-Type"]
    response.headers.update(reply.headers)
    return response
