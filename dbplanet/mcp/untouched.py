"""Whether a Flask application has anything that expects to see each of its requests."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter, length_hint
from types import FunctionType
from typing import Final, NamedTuple

import flask
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RoutingException

from dbplanet.mcp.blueprint import View

# What a request passes in Flask: replaced on the application or on its class, it sees each one.
_METHODS: Final = (
    *("request_context", "app_context", "create_url_adapter", "full_dispatch_request", "finalize_request"),
    *("preprocess_request", "dispatch_request", "make_response", "process_response", "ensure_sync"),
    *("do_teardown_request", "do_teardown_appcontext", "handle_user_exception", "handle_exception"),
)
_parts = attrgetter(*_METHODS, "request_class", "response_class", "session_interface", "url_map")
_hooks = attrgetter(
    *("before_request_funcs", "after_request_funcs", "teardown_request_funcs"),
    *("teardown_appcontext_funcs", "url_value_preprocessors"),
)
_SIGNALS: Final = (
    *(flask.request_started, flask.request_finished, flask.request_tearing_down),
    *(flask.appcontext_pushed, flask.appcontext_popped, flask.appcontext_tearing_down),
)
# With one of these Flask may refuse a request, or put a cookie on its answer.
_SETTINGS: Final = ("MAX_CONTENT_LENGTH", "TRUSTED_HOSTS", "SERVER_NAME", "SECRET_KEY")
_UNSET: Final = (None,) * len(_SETTINGS)


class Route(NamedTuple):
    """What Flask would call for a POST: ``view``, registered under ``name``."""

    name: str
    view: View


class Untouched:
    """Watches ``app``, which is as Flask makes it when this begins; a look costs 2 µs."""

    def __init__(self, app: flask.Flask) -> None:
        self._app = app
        self._parts = _parts(app)
        self._is_flask = all(_is_flask(getattr(type(app), name)) for name in (*_METHODS, "wsgi_app"))
        self._receivers = [signal.receivers for signal in _SIGNALS]
        self._rules = 0
        self._routes: Mapping[str, Route] = {}

    def view_of(self, path: str) -> View | None:
        """Return the view of a POST to ``path`` if nobody but the view would see it."""
        app = self._app
        rules = length_hint(app.url_map.iter_rules())
        if rules != self._rules:
            self._routes, self._rules = _routes(app), rules
        route = self._routes.get(path)
        if route is None or self._is_seen():
            return None
        registered: object = app.view_functions.get(route.name)
        return route.view if registered is route.view else None

    def _is_seen(self) -> bool:
        app = self._app
        return (
            not self._is_flask
            or any(_hooks(app))
            or any(self._receivers)
            or tuple(map(app.config.get, _SETTINGS)) != _UNSET
            or _parts(app) != self._parts
        )


def _is_flask(method: object) -> bool:
    """Tell whether ``method`` is Flask's, which tools that watch applications replace at their import."""
    return isinstance(method, FunctionType) and method.__globals__["__name__"].startswith("flask.")


def _routes(app: flask.Flask) -> Mapping[str, Route]:
    """Return the paths, with and without a final slash, that lead Flask to one of our views."""
    views = {name: view for name, view in app.view_functions.items() if isinstance(view, View)}
    rules = [rule.rule for rule in app.url_map.iter_rules() if rule.endpoint in views]
    paths = {f"{rule}{end}" for rule in rules for end in ("", "/")}
    found = {path: _matched(app, path) for path in paths}
    return {path: Route(name, views[name]) for path, name in found.items() if name in views}


def _matched(app: flask.Flask, path: str) -> str:
    try:
        name, arguments = app.url_map.bind("localhost").match(path, method="POST")
    except (HTTPException, RoutingException):
        return ""
    return "" if arguments else str(name)
