"""How headers narrow what a caller may use: ``x-dbplanet-read-only`` and ``x-dbplanet-toolsets``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from dbplanet.haiilo.credentials import HEADER_PREFIX, SPELLINGS, plain
from dbplanet.mcp.protocol import INVALID_REQUEST, RpcError
from dbplanet.mcp.scope import EVERYTHING, Scope

READ_ONLY_HEADER: Final = "x-dbplanet-read-only"
TOOLSETS_HEADER: Final = "x-dbplanet-toolsets"

_BOOLEANS: Final = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def narrowing(toolsets: Iterable[str]) -> Callable[[Mapping[str, str]], Scope]:
    """Return what reads the two headers; ``toolsets`` are the names that exist.

    It raises RpcError -32600 with status 400 for a value that cannot be read and for an unknown toolset:
    a limit that somebody meant to set is never ignored.
    """
    known = frozenset(toolsets)

    def restrict(headers: Mapping[str, str]) -> Scope:
        limits = _limits(headers)
        if not limits:
            return EVERYTHING
        chosen = _header(limits, TOOLSETS_HEADER)
        return Scope(_read_only(limits), None if chosen is None else _toolsets(chosen, known))

    return restrict


def read_only_narrowing(headers: Mapping[str, str]) -> Scope:
    """Return the scope of a server without toolsets; raises RpcError as ``narrowing`` does."""
    return Scope(_read_only(_limits(headers)))


def _limits(headers: Mapping[str, str]) -> dict[str, str]:
    """Return our headers but for the credentials, which most requests have and nothing else."""
    return {
        name: headers[name] for name in headers if name not in SPELLINGS and name.startswith(HEADER_PREFIX)
    }


def _header(limits: Mapping[str, str], name: str) -> str | None:
    """Return a header's value in any spelling; raises RpcError where two spellings do not agree."""
    values = {value for each, value in limits.items() if plain(each) == plain(name)}
    if len(values) > 1:
        raise _unreadable(f"two spellings of {name} have different values")
    return next(iter(values), None)


def _read_only(limits: Mapping[str, str]) -> bool:
    value = _header(limits, READ_ONLY_HEADER)
    if value is None:
        return False
    if value.lower() not in _BOOLEANS:
        raise _unreadable(f"{READ_ONLY_HEADER} must be true or false")
    return _BOOLEANS[value.lower()]


def _toolsets(value: str, known: frozenset[str]) -> frozenset[str]:
    chosen = frozenset(name.strip().lower() for name in value.split(","))
    if not chosen <= known:
        raise _unreadable(f"{TOOLSETS_HEADER} must be a list of {', '.join(sorted(known))}")
    return chosen


def _unreadable(fault: str) -> RpcError:
    return RpcError(INVALID_REQUEST, f"Bad Request: {fault}", status=400)
