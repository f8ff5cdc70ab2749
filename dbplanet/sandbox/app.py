"""The sandbox as a Flask application."""

from __future__ import annotations

from pathlib import Path

from flask import Flask
from flask.json.provider import DefaultJSONProvider

from .auth import TOKEN_PATH, authenticate, issue_token
from .context import close_store
from .control import Control, apply_fault, blueprint, record, record_status
from .errors import register_errors
from .profiles import PROFILES
from .seeding import seed
from .store import create_schema

DEFAULT_TENANT = "DB Planet Sandbox"
TOKEN_SECONDS = 3599


def create_sandbox(
    database: str | Path,
    *,
    profile: str = "spec",
    tenant: str = DEFAULT_TENANT,
    token_seconds: int = TOKEN_SECONDS,
) -> Flask:
    """Return a Haiilo tenant whose state is in the SQLite file ``database``.

    The file is created, and filled with the content of ``content/*.json`` when it is empty. ``tenant`` is a
    name that shows in users and in the welcome page. Access tokens live for ``token_seconds``.

    :raise ValueError: an unknown profile.
    """
    if profile not in PROFILES:
        raise ValueError(f"unknown profile {profile!r}; known: {', '.join(PROFILES)}")
    create_schema(database)
    seed(database, tenant=tenant)
    app = Flask("dbplanet.sandbox", static_folder=None)
    app.config.update(DATABASE=str(database), TOKEN_SECONDS=token_seconds)
    app.extensions["sandbox"] = Control()
    app.json = _Json(app)
    for hook in (record, apply_fault, authenticate):
        app.before_request(hook)
    app.after_request(record_status)
    app.teardown_appcontext(close_store)
    register_errors(app)
    _add_routes(app, profile)
    return app


def _add_routes(app: Flask, profile: str) -> None:
    app.register_blueprint(blueprint())
    routes = [("POST", TOKEN_PATH, issue_token)]
    routes += [
        (route.method, f"/{root}{route.path}", route.view)
        for route in PROFILES[profile]
        for root in route.roots
    ]
    for method, path, view in routes:
        app.add_url_rule(
            path,
            f"{method} {path}",
            view,
            methods=[method],
            provide_automatic_options=False,
            strict_slashes=True,
        )


class _Json(DefaultJSONProvider):
    """JSON as Haiilo writes it: UTF-8, fields in the order they were made."""

    ensure_ascii = False
    sort_keys = False
    compact = True
