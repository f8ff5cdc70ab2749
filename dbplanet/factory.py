"""From settings to a Flask application: settings → servers → blueprints, nothing else."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

import flask

from dbplanet.logs import log_to_stderr
from dbplanet.mcp.access import AccessTokens
from dbplanet.mcp.blueprint import mcp_blueprint
from dbplanet.mcp.http import Endpoint
from dbplanet.mcp.once import Once
from dbplanet.mcp.policy import HostPolicy
from dbplanet.mcp.session_rules import SessionRules
from dbplanet.mcp.sessions import SessionStore
from dbplanet.mcp.shortcut import Shortcut
from dbplanet.observing.load import Load
from dbplanet.observing.metrics import Metrics
from dbplanet.observing.multiprocess import available
from dbplanet.observing.readiness import checks
from dbplanet.observing.watch import Numbers
from dbplanet.operations import operations
from dbplanet.servers import SERVERS
from dbplanet.settings import PREFIX, Settings, log_ignored
from dbplanet.shared_state import SharedState
from dbplanet.watching import watch_of

# One thread in four may serve a stream; the others are for calls that just end.
STREAM_SHARE: Final = 4


class Mounted(NamedTuple):
    """What ``app.extensions["dbplanet"]`` holds for whoever runs the application."""

    sessionless_said: Once
    """Who says that there are no sessions with several processes: one of the threads, or of the processes."""
    store_fault: Callable[[], str]
    """Returns why sessions cannot be had now, or an empty text."""
    stores: Mapping[str, SessionStore]
    """Server name → its sessions."""


class DBPlanet:
    """The Flask extension: the MCP routes, and nothing else, in an application that exists already.

    ``DBPlanet(app)`` or ``DBPlanet().init_app(app)``; ``url_prefix`` moves ``/servers/…`` below it. Of the
    application's configuration only ``DBPLANET_<NAME>`` keys are read, then the environment. Exempt the
    blueprint from CSRF protection: MCP clients send no form tokens.
    """

    def __init__(self, app: flask.Flask | None = None, *, url_prefix: str = "") -> None:
        self._url_prefix = url_prefix
        if app is not None:
            self.init_app(app)

    def init_app(self, app: flask.Flask, *, url_prefix: str | None = None) -> None:
        """Register the routes on ``app``; raises SettingsError for a setting that is wrong."""
        own = {key.removeprefix(PREFIX): value for key, value in app.config.items() if key.startswith(PREFIX)}
        mount(app, Settings.load(own), self._url_prefix if url_prefix is None else url_prefix)


def mount(
    app: flask.Flask, settings: Settings, url_prefix: str = "", *, numbers: Numbers | None = None
) -> Mounted:
    """Register the MCP servers that ``settings`` names on ``app``; calls are counted in ``numbers``."""
    policy = HostPolicy(settings.allowed_hosts, settings.allowed_origins)
    state = SharedState(settings)
    once = Once()
    stores = {name: state.sessions(name) for name in settings.servers}
    endpoints = {
        f"/servers/{name}/mcp": Endpoint(
            SERVERS[name](settings, tokens=state.tokens(), watch=watch_of(settings, name, numbers)),
            SessionRules(store, once),
            policy=policy,
            max_request_bytes=settings.max_request_bytes,
            max_streams=settings.threads // STREAM_SHARE,
            access=AccessTokens(settings.access_tokens),
        )
        for name, store in stores.items()
    }
    app.register_blueprint(mcp_blueprint("dbplanet", endpoints), url_prefix=url_prefix or None)
    app.extensions["dbplanet"] = mounted = Mounted(once, state.fault, stores)
    return mounted


def create_app(settings: Mapping[str, Any] | None = None) -> flask.Flask:
    """Return the application: the MCP servers, ``/health``, ``/ready`` and ``/metrics``.

    ``settings`` maps ``<NAME>`` to values and goes before ``DBPLANET_<NAME>`` in the environment. Raises
    SettingsError for a setting that is unknown or malformed.
    """
    loaded = Settings.load(settings)
    log_to_stderr(loaded.log_level, loaded.log_format)
    log_ignored(os.environ)
    app = flask.Flask("dbplanet", static_folder=None)
    metrics = Metrics(loaded.threads) if available() else None
    mounted = mount(app, loaded, numbers=metrics)
    load = Load(Shortcut(app, app.wsgi_app), loaded.threads, metrics)
    app.wsgi_app = load  # type: ignore[method-assign]
    # gunicorn_conf.py tells it how many requests wait.
    app.extensions[Load.EXTENSION] = load
    app.register_blueprint(
        operations(
            checks(loaded, mounted.store_fault, load),
            metrics=partial(metrics.text, partial(_sessions, mounted.stores)) if metrics else None,
            allows_host=HostPolicy(loaded.allowed_hosts).allows_host,
        )
    )
    return app


def _sessions(stores: Mapping[str, SessionStore]) -> dict[str, float]:
    return {name: store.count() for name, store in stores.items()}
