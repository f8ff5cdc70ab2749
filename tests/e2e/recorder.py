"""A tenant that writes down every byte of what it is sent, for what the sandbox's journal leaves out."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKEN = b'{"access_token": "token-of-the-recorder"}'
COOKIE = "JSESSIONID=of-the-recorder; Path=/"


@dataclass(frozen=True)
class Recorded:
    """One request as it came."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


class Recorder(ThreadingHTTPServer):
    """Gives a token to everybody, an empty object for the rest, and a cookie with each."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[Recorded] = []
        self.hangs_up = False
        """Whether it closes each connection after an answer that did not say so."""
        self.closed = 0

    def shutdown_request(self, request: Any) -> None:
        """Close a connection, and count it once the client can know."""
        super().shutdown_request(request)
        self.closed += 1

    @property
    def url(self) -> str:
        """The recorder's origin."""
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Recorder
    protocol_version = "HTTP/1.1"

    def _record(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.requests.append(Recorded(self.command, self.path, headers, body))
        answer = TOKEN if self.path.startswith("/api/oauth/token") else b"{}"
        self.send_response(200)
        for name, value in (("Content-Type", "application/json"), ("Set-Cookie", COOKIE)):
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)
        self.close_connection = self.close_connection or self.server.hangs_up

    do_GET = do_POST = do_PUT = do_DELETE = _record  # noqa: N815 the names that http.server calls

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@contextmanager
def recording() -> Iterator[Recorder]:
    """Run a recorder for the time of a ``with`` block."""
    with Recorder() as recorder:
        thread = threading.Thread(target=recorder.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield recorder
        finally:
            recorder.shutdown()
            thread.join()
