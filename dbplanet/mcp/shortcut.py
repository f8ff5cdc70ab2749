"""A plain POST on an MCP path, answered in front of Flask, whose dispatch costs 80 µs.

Nobody may notice but by the clock. So it steps aside for every request that is not plain, and for all of
them where the application has anything that expects to see each one: a hook that asks who calls must not
be passed by.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

import flask
from werkzeug.http import HTTP_STATUS_CODES

from dbplanet.mcp.environ import request_of, unreadable_body, whole_body
from dbplanet.mcp.message import Reply
from dbplanet.mcp.untouched import Untouched

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

# As Werkzeug writes them.
_STATUSES: Final = {code: f"{code} {words.upper()}" for code, words in HTTP_STATUS_CODES.items()}

# A test that looks inside afterwards.
_LOOKED_INTO: Final = "werkzeug.debug.preserve_context"


class Shortcut:
    """The WSGI application in front of ``flask_app``, the one that Flask is itself (``app.wsgi_app``)."""

    def __init__(self, app: flask.Flask, flask_app: WSGIApplication) -> None:
        self._app = app
        self._flask = flask_app
        self._untouched = Untouched(app)
        self._begun = False

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request."""
        view = self._untouched.view_of(environ.get("PATH_INFO", "")) if _is_plain(environ) else None
        if view is None or not self._begun:
            # Flask takes hooks until its first request, and refuses later ones; so it sees that one.
            self._begun = True
            return self._flask(environ, start_response)
        try:
            reply = view.endpoint.respond(request_of(environ, lambda limit: _read_body(environ, limit)))
        except Exception as error:
            # The endpoint answers for its faults; what escapes it is Flask's to report.
            with self._app.request_context(environ):
                return self._reported(error)(environ, start_response)
        return _send(reply, start_response)

    def _reported(self, error: Exception) -> flask.Response:
        """Return Flask's answer to an exception, or that of the handler that the application has for it."""
        try:
            return self._app.finalize_request(self._app.handle_user_exception(error))
        except Exception as unhandled:
            return self._app.handle_exception(unhandled)


def _is_plain(environ: WSGIEnvironment) -> bool:
    """Tell whether Flask would see no more in a request than the view does."""
    length = environ.get("CONTENT_LENGTH") or ""
    return (
        environ["REQUEST_METHOD"] == "POST"
        # (Python makes no number of thousands of digits.)
        and len(length) < 1000
        and length.isascii()
        and length.isdigit()
        and "HTTP_TRANSFER_ENCODING" not in environ
        and "HTTP_UPGRADE" not in environ
        and _LOOKED_INTO not in environ
    )


def _read_body(environ: WSGIEnvironment, limit: int) -> bytes:
    """Return the body, refusing a declared length over ``limit``."""
    declared = int(environ["CONTENT_LENGTH"])
    body = b""
    try:
        if declared <= limit:
            # Whatever its value, the key tells Werkzeug that the server ends the stream.
            body = _whole(environ["wsgi.input"], None if "wsgi.input_terminated" in environ else declared)
    except Exception:
        # A server's own exceptions for a lost client have no class in common.
        raise unreadable_body() from None
    return whole_body(body, declared, limit)


def _whole(stream: Any, size: int | None) -> bytes:
    """Return ``size`` bytes, fewer where there are no more; or all, where the server ends the stream."""
    if size is None:
        return bytes(stream.read())
    parts: list[bytes] = []
    while size > 0 and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _send(reply: Reply, start_response: StartResponse) -> Iterable[bytes]:
    status = _STATUSES.get(reply.status) or f"{reply.status} UNKNOWN"
    if reply.stream is not None:
        start_response(status, list(reply.headers.items()))
        return reply.stream
    start_response(status, [("Content-Length", str(len(reply.body))), *reply.headers.items()])
    return [reply.body]
