"""The engine inside a Flask application: a blueprint with one rule per MCP server."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import flask
from flask.sansio.blueprints import BlueprintSetupState
from werkzeug.routing import Rule

from dbplanet.mcp.environ import request_of, unreadable_body, whole_body
from dbplanet.mcp.http import Endpoint
from dbplanet.mcp.message import Reply


def mcp_blueprint(name: str, endpoints: Mapping[str, Endpoint]) -> flask.Blueprint:
    """Return a blueprint that serves each endpoint at its path, with and without a final slash."""
    blueprint = flask.Blueprint(name, __name__)
    for path, endpoint in endpoints.items():
        blueprint.record(_rule(path, View(endpoint)))
    return blueprint


class View:
    """The Flask view of an ``endpoint``."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint

    def __call__(self) -> flask.Response:
        """Answer Flask's current request."""
        request = flask.request._get_current_object()  # type: ignore[attr-defined]
        return _response(
            self.endpoint.respond(request_of(request.environ, lambda limit: _read_body(request, limit)))
        )


def _rule(path: str, view: View) -> Callable[[BlueprintSetupState], None]:
    """Return what adds a rule for *every* method: a routing 405 never reaches a blueprint."""

    def add(state: BlueprintSetupState) -> None:
        endpoint = f"{state.blueprint.name}{path.replace('/', '.')}"
        rule = Rule(f"{state.url_prefix or ''}{path}", endpoint=endpoint, strict_slashes=False)
        state.app.url_map.add(rule)
        state.app.view_functions[endpoint] = view

    return add


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
        raise unreadable_body() from None
    return whole_body(body, request.content_length, limit)


def _response(reply: Reply) -> flask.Response:
    response = flask.Response(reply.body if reply.stream is None else reply.stream, reply.status)
    # Flask's default of text/html would stand on empty answers too.
    del response.headers["Content-Type"]
    response.headers.update(reply.headers)
    return response
