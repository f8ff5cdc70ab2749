"""What an operator's tools ask: is the process alive, is it ready; and JSON for paths that are not there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import flask
from werkzeug.exceptions import HTTPException

from dbplanet.mcp.protocol import INVALID_REQUEST, RpcError, failure


def operations(faults: Callable[[], list[str]] = list) -> flask.Blueprint:
    """Return the blueprint of ``/health`` and ``/ready``, with JSON in place of Flask's HTML error pages.

    ``faults()`` returns why requests cannot be served as they should.
    """
    blueprint = flask.Blueprint("operations", __name__)
    blueprint.add_url_rule("/health", view_func=_health, methods=["GET"])
    blueprint.add_url_rule("/ready", view_func=lambda: _ready(faults()), methods=["GET"], endpoint="ready")
    blueprint.app_errorhandler(HTTPException)(_as_json)
    return blueprint


def _health() -> flask.Response:
    """Requirement 13.4: 200 always, without any upstream call."""
    return flask.jsonify(status="ok")


def _ready(reasons: list[str]) -> tuple[flask.Response, int]:
    """200, or 503 with the reasons, for a load balancer."""
    if reasons:
        return flask.jsonify(status="unavailable", reasons=reasons), 503
    return flask.jsonify(status="ready"), 200


def _as_json(error: HTTPException) -> flask.Response:
    """Return the error as JSON; where MCP clients look, as the JSON-RPC that they can read."""
    body: dict[str, Any] = {"error": {"status": error.code, "message": error.name}}
    if flask.request.path.startswith("/servers/"):
        body = failure(None, RpcError(INVALID_REQUEST, error.name))
    response = flask.jsonify(body)
    response.status_code = error.code or 500
    allowed = getattr(error, "valid_methods", None)
    if allowed:
        response.headers["Allow"] = ", ".join(sorted(allowed))
    return response
