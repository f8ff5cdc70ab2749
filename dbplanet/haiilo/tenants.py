"""Which tenants a caller may name.

The base URL comes from the caller, so it decides where this server connects to. It is an origin and
nothing else: scheme, host, port.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dbplanet.mcp.errors import ToolError

_ORIGIN: Final = re.compile(
    r"(https?)://([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?/?", re.ASCII
)
_DEFAULT_PORTS: Final = {"http": "80", "https": "443"}


def origin_of(base_url: str) -> str | None:
    """Return a base URL as ``scheme://host[:port]`` in lower case, or None if it is not an origin.

    User info, a path other than ``/``, a query, a fragment and anything unusual make it none.
    """
    parsed = _ORIGIN.fullmatch(base_url.strip().lower())
    if parsed is None:
        return None
    scheme, host, port = parsed.groups()
    if port is not None and not 0 < int(port) < 65_536:
        return None
    shown = "" if port in (None, _DEFAULT_PORTS[scheme]) else f":{int(port)}"
    return f"{scheme}://{host}{shown}"


@dataclass(frozen=True)
class Tenants:
    """The tenants that may be named: exact origins, or ``https://*.suffix`` patterns."""

    allowed: Sequence[str]

    def check(self, base_url: str) -> str:
        """Return the origin of an allowed base URL; raises ToolError 400 for any other."""
        origin = origin_of(base_url)
        if origin is None:
            raise ToolError(
                400,
                "Invalid base URL: it must be an origin such as https://db-planet.example",
                "No user info, path, query or fragment; header x-dbplanet-base-url.",
            )
        if not any(_covers(entry, origin) for entry in self.allowed):
            raise ToolError(
                400,
                "This base URL is not served here",
                "The operator of this MCP server lists the tenants in DBPLANET_ALLOWED_BASE_URLS.",
            )
        return origin


def _covers(entry: str, origin: str) -> bool:
    if entry.startswith("https://*."):
        return origin.startswith("https://") and origin.endswith(entry.removeprefix("https://*"))
    return origin == entry
