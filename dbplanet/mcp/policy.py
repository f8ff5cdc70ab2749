"""Which hosts and origins a request may name: against DNS rebinding and foreign web pages.

Hosts are compared, not schemes; ports only where the allowed entry gives one. Source: specification,
transports (Origin), and the SDKs' DNS-rebinding advisories: compare parsed hosts, never prefixes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")

_AUTHORITY: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?", re.ASCII)
_ORIGIN: Final = re.compile(r"[a-z][a-z0-9+.-]*://(.+)", re.ASCII)

ALLOWED_METHODS: Final = "POST, GET, DELETE, OPTIONS"
EXPOSED_HEADERS: Final = "Mcp-Session-Id, WWW-Authenticate, MCP-Protocol-Version"


class HostPolicy:
    """Allowed hosts and origins: exact names, ``*.suffix`` or ``*``, each with an optional port."""

    def __init__(self, hosts: Sequence[str] = LOOPBACK, origins: Sequence[str] = LOOPBACK) -> None:
        self._hosts = _Allowed(hosts)
        self._origins = _Allowed(origins)

    def allows_host(self, host: str | None) -> bool:
        """Tell whether a request's Host header is one of ours."""
        return host is not None and self._hosts.has(host)

    def allows_origin(self, origin: str, host: str | None) -> bool:
        """Tell whether a page of ``origin`` may call; the request's own host may."""
        parsed = _ORIGIN.fullmatch(origin.strip().lower())
        if parsed is None:
            return False
        return self._origins.has(parsed[1]) or (host is not None and parsed[1] == host.lower())


class _Allowed:
    """A list of allowed names, read once; an entry without a port stands for all of them."""

    def __init__(self, entries: Sequence[str]) -> None:
        self._all = "*" in entries
        self._exact = {_split(entry) for entry in entries if not entry.startswith("*.")}
        split = [_split(entry[2:]) for entry in entries if entry.startswith("*.")]
        self._suffixes = [(f".{name}", port) for name, port in split if name is not None]

    def has(self, authority: str) -> bool:
        name, port = _split(authority)
        if name is None:
            return False
        return (
            self._all
            or (name, None) in self._exact
            or (name, port) in self._exact
            or any(name.endswith(suffix) and wanted in (None, port) for suffix, wanted in self._suffixes)
        )


def _split(authority: str) -> tuple[str | None, str | None]:
    """Return the name and the port of an authority, the name None for what is none."""
    parsed = _AUTHORITY.fullmatch(authority.strip().lower())
    return (parsed[1].rstrip("."), parsed[2]) if parsed else (None, None)


def cors_headers(origin: str, requested: str | None = None) -> dict[str, str]:
    """Return the CORS headers for an allowed ``origin``; ``requested`` is a preflight's header list."""
    headers = {
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Expose-Headers": EXPOSED_HEADERS,
        "Vary": "Origin",
    }
    return headers | _preflight(requested) if requested is not None else headers


def _preflight(requested: str) -> dict[str, str]:
    return {
        "Access-Control-Allow-Methods": ALLOWED_METHODS,
        "Access-Control-Allow-Headers": requested,
        "Access-Control-Max-Age": "600",
    }
