"""A WSGI environ as the engine's ``Request``."""

from __future__ import annotations

import random
import re
import select
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from dbplanet.mcp.message import Request
from dbplanet.mcp.protocol import INVALID_REQUEST, RpcError

# WSGI keeps these two without the HTTP_ prefix.
_UNPREFIXED: Final = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}

# The headers that are asked for by name at each request, or nearly; others are spelled out anew.
_USUAL: Final = (
    *("accept", "authorization", "host", "origin", "access-control-request-headers"),
    *("mcp-session-id", "mcp-protocol-version", "mcp-method", "mcp-name", "last-event-id"),
    *("x-dbplanet-username", "x-dbplanet-password", "x-dbplanet-client-id", "x-dbplanet-client-secret"),
    *("x-dbplanet-base-url", "x-dbplanet-read-only", "x-dbplanet-toolsets"),
    *("connection", "user-agent", "accept-encoding", "x-forwarded-for", "x-request-id"),
)


def _key(name: str) -> str:
    return f"HTTP_{name.upper().replace('-', '_')}"


_KEYS: Final = {**{name: _key(name) for name in _USUAL}, **_UNPREFIXED}
_NAMES: Final = {key: name for name, key in _KEYS.items()}

_REQUEST_ID: Final = re.compile(r"[0-9a-f]{8}[0-9a-f-]{0,56}", re.IGNORECASE)


class EnvironHeaders(Mapping[str, str]):
    """The headers of a WSGI environ by lower-case name, white space around the values removed."""

    __slots__ = ("_environ", "_names")

    def __init__(self, environ: Mapping[str, Any]) -> None:
        self._environ = environ
        self._names: list[str] | None = None

    def __getitem__(self, name: str) -> str:
        value: str = self._environ[_KEYS.get(name) or _key(name)]
        return value.strip(" \t")

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value, or ``default``; many times a request, so past the ABC's exceptions."""
        value = self._environ.get(_KEYS.get(name) or _key(name))
        return default if value is None else value.strip(" \t")

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def _all(self) -> list[str]:
        if self._names is None:
            self._names = [
                _NAMES.get(key) or key[5:].replace("_", "-").lower()
                for key in self._environ
                if key in _NAMES or key.startswith("HTTP_")
            ]
        return self._names


def request_of(environ: Mapping[str, Any], read_body: Callable[[int], bytes]) -> Request:
    """Return the request; it goes on with its stream after the web framework has forgotten it."""
    return Request(
        method=environ["REQUEST_METHOD"].upper(),
        headers=EnvironHeaders(environ),
        read_body=read_body,
        multiprocess=bool(environ.get("wsgi.multiprocess")),
        gone=lambda: _is_closed(_socket_of(environ)),
        request_id=_request_id(environ.get("HTTP_X_REQUEST_ID", "")),
    )


def _request_id(given: str) -> str:
    """Return the id that a proxy gave the request, or a new one.

    Only hexadecimal ids are taken, as nginx, Envoy and cloud routers make them: it goes into logs.
    """
    # It names a request and hides nothing, so the cheap kind of chance will do.
    return given if given and _REQUEST_ID.fullmatch(given) else f"{random.getrandbits(64):016x}"


def whole_body(body: bytes, declared: int | None, limit: int) -> bytes:
    """Return ``body``; raises RpcError when it, or what was ``declared``, is over ``limit``, or it is cut."""
    if declared is not None and len(body) < declared <= limit:
        raise unreadable_body()
    if max(len(body), declared or 0) > limit:
        raise RpcError(INVALID_REQUEST, f"Content Too Large: the most is {limit} bytes", status=413)
    return body


def unreadable_body() -> RpcError:
    """Return the error of a body that ends before its declared length, or whose chunks are broken."""
    return RpcError(INVALID_REQUEST, "Bad Request: the body could not be read whole", status=400)


def _socket_of(environ: Mapping[str, Any]) -> socket.socket | None:
    """Return the client's socket, which gunicorn and Werkzeug hand to the application."""
    return environ.get("gunicorn.socket") or environ.get("werkzeug.socket")


def _is_closed(connection: socket.socket | None) -> bool:
    """Tell whether the client has closed; only a look shows it before something is written."""
    if connection is None or isinstance(connection, ssl.SSLSocket):
        return False
    try:
        readable, _, _ = select.select([connection], [], [], 0)
        return bool(readable) and connection.recv(1, socket.MSG_PEEK) == b""
    except (OSError, ValueError):
        return True
