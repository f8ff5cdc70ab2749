"""Which tenants a caller may name.

The base URL comes from the caller, so it decides where this server connects to. It is an origin and
nothing else: scheme, host, port. What is refused is refused in the same words, whatever the reason, so that
nobody can probe the operator's network by it.
"""

from __future__ import annotations

from dbplanet.egress import EgressError, Policy, check_url
from dbplanet.haiilo.origins import origin_of
from dbplanet.mcp.errors import ToolError


def refused_base_url() -> ToolError:
    """Return the one refusal of every base URL that may not be used."""
    return ToolError(
        400,
        "This base URL is not served here.",
        "It must be the origin of a DB Planet tenant that this server may reach, such as "
        "https://db-planet.example (header x-dbplanet-base-url, setting DBPLANET_ALLOWED_BASE_URLS).",
    )


def check_base_url(base_url: str, policy: Policy) -> str:
    """Return the origin of a base URL that ``policy`` permits by name; raises ToolError 400.

    Nothing is resolved: what a name stands for is checked at each connection.
    """
    origin = origin_of(base_url)
    if origin is None:
        raise refused_base_url()
    try:
        policy.check_target(check_url(origin).target)
    except EgressError:
        raise refused_base_url() from None
    return origin
