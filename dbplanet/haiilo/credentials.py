"""The five values that open a tenant, and how they are read from a request's headers.

Requirement 13.2: credentials come in ``x-dbplanet-*`` headers. Requirement 1.4 and Property 6: what is
missing is named when a tool is called, never at start.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final

from dbplanet.mcp.errors import ToolError
from dbplanet.mcp.protocol import INVALID_REQUEST, RpcError

HEADER_PREFIX: Final = "x-dbplanet-"


def plain(header: str) -> str:
    """Return one of our headers' names without the hyphens after its prefix, which do not count."""
    return f"{HEADER_PREFIX}{header.removeprefix(HEADER_PREFIX).replace('-', '')}"


# Field → the header that the documentation names.
HEADERS: Final = {
    "username": "x-dbplanet-username",
    "password": "x-dbplanet-password",
    "client_id": "x-dbplanet-client-id",
    "client_secret": "x-dbplanet-client-secret",
    "base_url": "x-dbplanet-base-url",
}

# The header's name, with the hyphens after its prefix or without → field: both spellings are in use.
SPELLINGS: Final = {
    spelling: name for name, header in HEADERS.items() for spelling in (header, plain(header))
}

_ADVICE: Final = (
    "Over HTTP all five x-dbplanet-* headers come with the request, or with the initialize of its session; "
    "on the command line the settings hold them."
)

# Whatever a tenant gives out is far shorter; what is kept for each caller must have a bound.
_LONGEST: Final = 1024

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, repr=False, slots=True)
class Credentials:
    """One person's access to one tenant; None stands for a value that was not given.

    All but ``base_url`` are secrets, so the repr shows none of them.
    """

    username: str | None = None
    password: str | None = None
    client_id: str | None = None
    client_secret: str | None = None
    base_url: str | None = None

    def __repr__(self) -> str:
        return "Credentials(…)"

    @property
    def values(self) -> tuple[str | None, ...]:
        """All five values in the order of the fields."""
        return (self.username, self.password, self.client_id, self.client_secret, self.base_url)

    @property
    def given(self) -> bool:
        """Whether any value was given, be it an empty one."""
        return any(value is not None for value in self.values)

    @property
    def complete(self) -> bool:
        """Whether all five are there and none is empty."""
        return all(self.values)

    def require(self, sources: Mapping[str, str] = HEADERS) -> None:
        """Raise ToolError 401 naming the missing fields and where each is given."""
        missing = [field.name for field in fields(self) if not getattr(self, field.name)]
        if missing:
            named = ", ".join(f"{name} ({sources[name]})" for name in missing)
            raise ToolError(401, f"Missing DB Planet credentials: {named}", _ADVICE)


def from_headers(headers: Mapping[str, str]) -> Credentials:
    """Return the credentials in a request's headers (lower-case names, Latin-1 values as in WSGI).

    Raises RpcError -32600 with status 400 for a control character, for a value that is too long, and for two
    spellings of one header that do not agree.
    """
    found: dict[str, str] = {}
    for name in headers:
        if not name.startswith(HEADER_PREFIX):
            continue
        field = SPELLINGS.get(name) or SPELLINGS.get(plain(name))
        if field is None:
            continue
        value = _value(name, headers[name])
        if found.setdefault(field, value) != value:
            raise _unreadable(f"two spellings of {HEADERS[field]} have different values")
    return Credentials(**found)


def _value(name: str, given: str) -> str:
    value = given if given.isascii() else _decoded(given)
    # Everything printable is no control character; the reverse does not hold.
    if not value.isprintable() and _CONTROL.search(value):
        raise _unreadable(f"{name} holds a control character")
    if len(value) > _LONGEST:
        raise _unreadable(f"{name} is longer than {_LONGEST} characters")
    return value


def _decoded(value: str) -> str:
    raw = value.encode("latin-1")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return value


def _unreadable(fault: str) -> RpcError:
    return RpcError(INVALID_REQUEST, f"Bad Request: {fault}", status=400)
