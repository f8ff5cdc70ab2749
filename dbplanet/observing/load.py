"""How many requests a process has in its threads: a layer around the WSGI application.

A stream holds its thread until its last event, long after Flask has forgotten the request; only the
server's ``close`` tells the end.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final, Protocol

from werkzeug.wsgi import ClosingIterator

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_EVENTS: Final = "text/event-stream"


class Gauges(Protocol):
    """Where the load is shown."""

    def show_load(self, requests: int, streams: int, waiting: int) -> None:
        """Add to what is in progress, and set what waits."""


class Load:
    """Counts the requests in progress in ``application``, which is served by ``threads`` threads.

    ``waiting`` tells how many requests wait for a thread; the server that knows it sets it.
    """

    EXTENSION: Final = "dbplanet_load"
    """Its key in the ``extensions`` of a Flask application."""

    def __init__(self, application: WSGIApplication, threads: int, gauges: Gauges | None = None) -> None:
        self._application = application
        self._gauges = gauges
        self._lock = threading.Lock()
        self.threads = threads
        self.busy = 0
        self.waiting: Callable[[], int] = lambda: 0

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Serve one request, counted from here to the end of its answer."""
        request = _Request(self, start_response)
        try:
            body = self._application(environ, request.start)
        except BaseException:
            request.end()
            raise
        # What is complete needs no iterator, and those of Werkzeug cost as much as the rest of this.
        return _Parts(body, request) if type(body) is list else ClosingIterator(body, request.end)

    def headroom(self) -> str:
        """Return what is wrong with the threads, or an empty text; whoever asks has one of them."""
        free = self.threads - self.busy
        if free < max(1, self.threads // 16):
            return f"{self.busy} of {self.threads} threads are busy and {self.waiting()} requests wait"
        return ""

    def change(self, requests: int, streams: int) -> None:
        """Add to what is in progress."""
        with self._lock:
            self.busy += requests
        if self._gauges is not None:
            self._gauges.show_load(requests, streams, self.waiting())


class _Request:
    __slots__ = ("_load", "_start_response", "_streams")

    def __init__(self, load: Load, start_response: StartResponse) -> None:
        self._load = load
        self._start_response = start_response
        self._streams = 0
        load.change(1, 0)

    def start(self, status: str, headers: list[tuple[str, str]], *rest: Any) -> Any:
        for name, value in headers:
            if value.startswith(_EVENTS) and name.lower() == "content-type" and not self._streams:
                self._streams = 1
                self._load.change(0, 1)
        return self._start_response(status, headers, *rest)

    def end(self) -> None:
        self._load.change(-1, -self._streams)


class _Parts(list[bytes]):
    """An answer that is complete."""

    __slots__ = ("_request",)

    def __init__(self, parts: Iterable[bytes], request: _Request) -> None:
        super().__init__(parts)
        self._request = request

    def close(self) -> None:
        self._request.end()
