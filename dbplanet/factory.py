"""From settings to a Flask application: settings → servers → blueprints, nothing else."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import flask

from dbplanet.mcp.access import AccessTokens
from dbplanet.mcp.blueprint import mcp_blueprint
from dbplanet.mcp.http import Endpoint
from dbplanet.mcp.once import Once
from dbplanet.mcp.policy import HostPolicy
from dbplanet.mcp.session_rules import SessionRules
from dbplanet.operations import operations
from dbplanet.servers import SERVERS
from dbplanet.settings import PREFIX, Settings, log_ignored
from dbplanet.shared_state import SharedState

# One thread in four may serve a stream; the others are for calls that just end.
STREAM_SHARE: Final = 4


class Mounted(NamedTuple):
    """What ``app.extensions["dbplanet"]`` holds for whoever runs the application."""

    sessionless_said: Once
    """Who says that there are no sessions with several processes: one of the threads, or of the processes."""
    faults: Callable[[], list[str]]
    """Returns why requests cannot be served as they should."""


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


def mount(app: flask.Flask, settings: Settings, url_prefix: str = "") -> None:
    """Register the MCP servers that ``settings`` names on ``app``."""
    policy = HostPolicy(settings.allowed_hosts, settings.allowed_origins)
    state = SharedState(settings)
    once = Once()
    endpoints = {
        f"/servers/{name}/mcp": Endpoint(
            SERVERS[name](settings, tokens=state.tokens()),
            SessionRules(state.sessions(name), once),
            policy=policy,
            max_request_bytes=settings.max_request_bytes,
            max_streams=settings.threads // STREAM_SHARE,
            access=AccessTokens(settings.access_tokens),
        )
        for name in settings.servers
    }
    app.register_blueprint(mcp_blueprint("dbplanet", endpoints), url_prefix=url_prefix or None)
    app.extensions["dbplanet"] = Mounted(once, state.faults)


def create_app(settings: Mapping[str, Any] | None = None) -> flask.Flask:
    """Return the application: the MCP servers and ``/health``.

    ``settings`` maps ``<NAME>`` to values and goes before ``DBPLANET_<NAME>`` in the environment. Raises
    SettingsError for a setting that is unknown or malformed.
    """
    loaded = Settings.load(settings)
    log_to_stderr(loaded.log_level)
    log_ignored(os.environ)
    app = flask.Flask("dbplanet", static_folder=None)
    mount(app, loaded)
    app.register_blueprint(operations(app.extensions["dbplanet"].faults))
    return app


def log_to_stderr(level: str) -> None:
    """Let the package's lines of ``level`` and above reach standard error, unless the host logs already."""
    logger = logging.getLogger("dbplanet")
    logger.setLevel(level)
    if not logger.hasHandlers():
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("[%(asctime)s] [%(process)d] [%(levelname)s] %(message)s"))
        logger.addHandler(handler)
