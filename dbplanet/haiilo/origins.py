"""What a tenant's base URL is: an origin, written in one way. Settings and callers name tenants by it."""

from __future__ import annotations

import re
from typing import Final

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
