"""What an operator's tools ask: does it live, can it serve, what has it done; JSON for every wrong path."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import flask
from werkzeug.exceptions import HTTPException

from dbplanet.mcp.protocol import INVALID_REQUEST, RpcError, failure

Check = Callable[[], str]
"""Returns what is wrong, in words for the operator; an empty text when nothing is."""

METRICS_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_OK: Final = "ok"


def operations(
    checks: Mapping[str, Check] | None = None,
    *,
    metrics: Callable[[], bytes] | None = None,
    allows_host: Callable[[str | None], bool] = lambda host: True,
) -> flask.Blueprint:
    """Return the blueprint of ``/health``, ``/ready`` and, with ``metrics``, ``/metrics``.

    ``/metrics`` answers for hosts that ``allows_host`` accepts; probes come by any name. JSON takes the place
    of Flask's HTML error pages.
    """
    blueprint = flask.Blueprint("operations", __name__)
    blueprint.add_url_rule("/health", "health", _health, methods=["GET"])
    blueprint.add_url_rule("/ready", "ready", lambda: _ready(checks or {}), methods=["GET"])
    if metrics is not None:
        shown = metrics
        blueprint.add_url_rule("/metrics", "metrics", lambda: _metrics(shown, allows_host), methods=["GET"])
    blueprint.app_errorhandler(HTTPException)(_as_json)
    return blueprint


def _health() -> flask.Response:
    """Requirement 13.4: 200 always, without any upstream call."""
    return flask.jsonify(status=_OK)


def _ready(checks: Mapping[str, Check]) -> flask.Response:
    """200 when the next request can be served, else 503; each check's word is in the body."""
    found = {name: check() or _OK for name, check in checks.items()}
    ready = all(word == _OK for word in found.values())
    response = flask.jsonify(status="ready" if ready else "not ready", checks=found)
    response.status_code = 200 if ready else 503
    return response


def _metrics(text: Callable[[], bytes], allows_host: Callable[[str | None], bool]) -> flask.Response:
    if not allows_host(flask.request.headers.get("Host")):
        flask.abort(421)
    return flask.Response(text(), content_type=METRICS_TYPE)


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
