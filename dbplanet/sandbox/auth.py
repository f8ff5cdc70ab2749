"""OAuth2 as Haiilo does it: the token endpoint, and the bearer token on every other request."""

from __future__ import annotations

import time
import uuid

from flask import Response, current_app, g, jsonify, request

from .access import Viewer
from .context import store
from .errors import forbidden
from .identity import COLLEAGUES, CREDENTIALS, entity_id

TOKEN_PATH = "/api/oauth/token"  # noqa: S105 - a path
# Spring keeps refresh tokens for thirty days unless told otherwise.
_REFRESH_SECONDS = 30 * 86_400


def _oauth_error(status: int, error: str, description: str, challenge: str | None = None) -> Response:
    response = jsonify({"error": error, "error_description": description})
    response.status_code = status
    if challenge:
        response.headers["WWW-Authenticate"] = challenge
    return response


def _invalid_token(description: str) -> Response:
    challenge = f'Bearer realm="oauth2-resource", error="invalid_token", error_description="{description}"'
    return _oauth_error(401, "invalid_token", description, challenge)


def issue_token() -> Response:
    """Answer ``POST /api/oauth/token``: client by HTTP Basic, the rest as form or query parameters.

    Grants ``password`` and ``refresh_token``; 401 ``invalid_client``, 400 ``invalid_grant`` and
    ``unsupported_grant_type`` (reference/haiilo-api.md §2.1).
    """
    client = request.authorization
    accounts = (CREDENTIALS, *COLLEAGUES)
    known = {(account.client_id, account.client_secret) for account in accounts}
    if client is None or client.type != "basic" or (client.username, client.password) not in known:
        return _oauth_error(401, "invalid_client", "Bad client credentials", 'Basic realm="oauth2/client"')
    values = request.values
    grant = values.get("grant_type")
    if grant == "password":
        logins = {(account.username, account.password) for account in accounts}
        name = values.get("username", "")
        user = name if (name, values.get("password")) in logins else None
    elif grant == "refresh_token":
        user = _owner_of(values.get("refresh_token", ""), "refresh")
    else:
        return _oauth_error(400, "unsupported_grant_type", f"Unsupported grant type: {grant}")
    return _oauth_error(400, "invalid_grant", "Bad credentials") if user is None else _tokens_for(user)


def _tokens_for(user: str) -> Response:
    seconds: int = current_app.config["TOKEN_SECONDS"]
    response = jsonify(
        access_token=_new_token("access", user, seconds),
        token_type="bearer",  # noqa: S106 - a type
        refresh_token=_new_token("refresh", user, _REFRESH_SECONDS),
        expires_in=seconds,
        scope="read write",
    )
    response.headers["Cache-Control"] = "no-store"
    return response


def _new_token(kind: str, user: str, seconds: int) -> str:
    value = str(uuid.uuid4())
    store().execute("DELETE FROM token WHERE expires < ?", time.time())
    store().execute("INSERT INTO token VALUES (?, ?, ?, ?)", value, kind, user, time.time() + seconds)
    return value


def _owner_of(value: str, kind: str) -> str | None:
    """Return the login name behind a token that has not expired."""
    sql = "SELECT user FROM token WHERE value = ? AND kind = ? AND expires > ?"
    rows = store().rows(sql, value, kind, time.time())
    return rows[0]["user"] if rows else None


def authenticate() -> Response | None:
    """Let requests to ``/api`` and ``/web`` pass with a valid bearer token; set ``g.viewer``.

    Writes on ``/web`` need a browser session, which the sandbox has not: 403, whoever asks.
    """
    if not request.path.startswith(("/api/", "/web/")) or request.path == TOKEN_PATH:
        return None
    if request.path.startswith("/web/") and request.method not in ("GET", "HEAD"):
        raise forbidden("Invalid CSRF token.")
    bearer = request.authorization
    if bearer is None or bearer.type != "bearer" or not bearer.token:
        return _invalid_token("Full authentication is required to access this resource")
    login = _owner_of(bearer.token, "access")
    if login is None:
        return _invalid_token("Invalid or expired access token")
    user = store().get(entity_id(f"user/{login}"))
    g.viewer = Viewer(store(), user or {})
    return None
