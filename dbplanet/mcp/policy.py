"""Which hosts and origins a request may name: against DNS rebinding and foreign web pages.

Hosts are compared, not schemes; ports only where the allowed entry gives one. Source: specification,
transports (Origin), and the SDKs' DNS-rebinding advisories: compare parsed hosts, never prefixes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")

_AUTHORITY: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?", re.ASCII)
_ORIGIN: Final = re.compile(r"[a-z][a-z0-9+.-]*://(.+)", re.ASCII)

ALLOWED_METHODS: Final = "POST, GET, DELETE, OPTIONS"
EXPOSED_HEADERS: Final = "Mcp-Session-Id, WWW-Authenticate, MCP-Protocol-Version"


@dataclass(frozen=True)
class HostPolicy:
    """Allowed hosts and origins: exact names, ``*.suffix`` or ``*``, each with an optional port."""

    hosts: Sequence[str] = LOOPBACK
    origins: Sequence[str] = LOOPBACK

    def allows_host(self, host: str | None) -> bool:
        """Tell whether a request's Host header is one of ours."""
        return _matches(host, self.hosts)

    def allows_origin(self, origin: str, host: str | None) -> bool:
        """Tell whether a page of ``origin`` may call; the request's own host may."""
        parsed = _ORIGIN.fullmatch(origin.strip().lower())
        if parsed is None:
            return False
        return _matches(parsed[1], self.origins) or (host is not None and parsed[1] == host.lower())


def _matches(authority: str | None, allowed: Sequence[str]) -> bool:
    name, port = _split(authority or "")
    return name is not None and any(_matches_one(name, port, entry) for entry in allowed)


def _matches_one(name: str, port: str | None, entry: str) -> bool:
    if entry == "*":
        return True
    wildcard = entry.startswith("*.")
    wanted, wanted_port = _split(entry[2:].lower() if wildcard else entry.lower())
    if wanted is None or (wanted_port is not None and wanted_port != port):
        return False
    return name.endswith(f".{wanted}") if wildcard else name == wanted


def _split(authority: str) -> tuple[str | None, str | None]:
    parsed = _AUTHORITY.fullmatch(authority.strip().lower())
    return (parsed[1].rstrip("."), parsed[2]) if parsed else (None, None)


def cors_headers(origin: str | None, requested: str | None = None) -> dict[str, str]:
    """Return the CORS headers for an allowed ``origin``; ``requested`` is a preflight's header list."""
    if origin is None:
        return {}
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
