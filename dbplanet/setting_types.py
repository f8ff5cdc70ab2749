"""How a setting's text is read: one function for each type.

Each raises ValueError, worded to follow the value, with the fault and the fix.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from dbplanet.haiilo.origins import origin_of

_TRUE: Final = frozenset({"true", "1", "yes"})
_FALSE: Final = frozenset({"false", "0", "no"})
_WILDCARD_ORIGIN: Final = "https://*."

SERVER_NAMES: Final = ("dbplanet", "api", "clubber")
TOOLSET_NAMES: Final = (
    "search",
    "workspaces",
    "news",
    "people",
    "events",
    "social",
    "notifications",
    "pages",
    "content",
)


def text(value: str) -> str:
    """Return the text as it is."""
    return value


def host(value: str) -> str:
    """Return an address or name to listen on; an IPv6 address gets its brackets."""
    name = value.strip()
    try:
        address = ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        address = None
    if address is not None:
        return f"[{address}]" if address.version == 6 else str(address)
    if not re.fullmatch(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?", name):
        raise ValueError(
            "is not an address to listen on; write one such as 127.0.0.1, without scheme and port"
        )
    return name


def key(value: str) -> str:
    """Return a secret key, long enough not to be guessed."""
    if len(value) < 16:
        raise ValueError("is too short; write 16 characters or more, best made at random")
    return value


def header_text(value: str) -> str:
    """Return text that may stand in a header."""
    if not re.fullmatch(r"[\x20-\x7e]{1,200}", value):
        raise ValueError("cannot stand in a header; write up to 200 visible ASCII characters")
    return value


def boolean(value: str) -> bool:
    """Return whether a word says yes."""
    word = value.strip().lower()
    if word not in _TRUE | _FALSE:
        raise ValueError("is not a boolean; write true or false")
    return word in _TRUE


def number(least: float) -> Callable[[str], float]:
    """Return what reads a number of seconds of at least ``least``."""

    def read(value: str) -> float:
        if not re.fullmatch(r"\d{1,9}(\.\d{1,6})?", value.strip(), re.ASCII) or float(value) < least:
            raise ValueError(f"is not a number of seconds; write one of at least {least:g}, such as 5")
        return float(value)

    return read


def whole(least: int, most: int = 2**40) -> Callable[[str], int]:
    """Return what reads a whole number within bounds."""

    def read(value: str) -> int:
        if not re.fullmatch(r"\d{1,13}", value.strip(), re.ASCII) or not least <= int(value) <= most:
            raise ValueError(f"is not a whole number from {least} to {most}; write digits only")
        return int(value)

    return read


def entries(value: str) -> tuple[str, ...]:
    """Return the entries of a comma list."""
    return tuple(filter(None, (entry.strip() for entry in value.split(","))))


def servers(value: str) -> tuple[str, ...]:
    """Return the names of MCP servers to mount."""
    names = entries(value)
    if not names or not set(names) <= set(SERVER_NAMES):
        raise ValueError(f"names a server that does not exist; choose from {', '.join(SERVER_NAMES)}")
    return names


def toolsets(value: str) -> tuple[str, ...]:
    """Return the names of toolsets; none means all."""
    names = tuple(name.lower() for name in entries(value))
    if not set(names) <= set(TOOLSET_NAMES):
        raise ValueError(f"names a toolset that does not exist; choose from {', '.join(TOOLSET_NAMES)}")
    return names


def origin(value: str) -> str:
    """Return an origin: scheme, host, and port where it is not the default."""
    found = origin_of(value)
    if found is None:
        raise ValueError("is not an origin; write scheme and host only, such as https://db-planet.example")
    return found


def origins(value: str) -> tuple[str, ...]:
    """Return origins and ``https://*.suffix`` patterns."""
    return tuple(map(origin_pattern, entries(value)))


def origin_pattern(value: str) -> str:
    """Return one origin or pattern."""
    if value.startswith(_WILDCARD_ORIGIN):
        return origin(value.replace("*.", "", 1)).replace("https://", _WILDCARD_ORIGIN, 1)
    return origin(value)


def hosts(value: str) -> tuple[str, ...]:
    """Return host patterns; of an origin the host counts, not the scheme."""
    return tuple(map(_host_pattern, entries(value)))


def _host_pattern(entry: str) -> str:
    plain = re.sub(r"^[a-z][a-z0-9+.-]*://", "", entry.lower()).removesuffix("/")
    if plain != "*" and not re.fullmatch(r"(\*\.)?(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?", plain):
        raise ValueError(
            f"has {entry!r}, which is no host; write a name, *.suffix or *, with :port if wanted"
        )
    return plain


def proxy(value: str) -> str:
    """Return the address of an http proxy."""
    parsed = re.fullmatch(r"http://([^@/?#\s]+@)?[A-Za-z0-9.-]+:(\d{1,5})/?", value, re.ASCII)
    if parsed is None or not 0 < int(parsed[2]) < 65_536:
        raise ValueError("is not a proxy; write http://host:port, or http://user:password@host:port")
    return value


def api_hosts(value: str) -> tuple[str, ...]:
    """Return the hosts that the api server may call: names, or ``.suffix`` for subdomains."""
    given = entries(value)
    try:
        _check_api_policy(hosts=given)
    except ValueError as fault:
        raise ValueError(f"is not a list of hosts; write api.example.com or .example.com: {fault}") from None
    return given


def api_nets(value: str) -> tuple[str, ...]:
    """Return the networks that the api server may reach though they are not public."""
    given = entries(value)
    try:
        _check_api_policy(nets=given)
    except ValueError as fault:
        raise ValueError(
            f"is not a list of networks; write 10.0.0.0/8 or 127.0.0.1/32:3001: {fault}"
        ) from None
    return given


def _check_api_policy(**given: tuple[str, ...]) -> None:
    if any(given.values()):
        # With requests and urllib3 behind it: 6 MiB for every process that reads settings, gunicorn's master
        # too, where hardly any sets this.
        from dbplanet.egress import Policy

        Policy.for_api(**given)


def tokens(value: str) -> tuple[str, ...]:
    """Return bearer tokens, long enough not to be guessed."""
    given = entries(value)
    if any(not re.fullmatch(r"[\x21-\x7e]{16,}", token) for token in given):
        raise ValueError("has a token that is not 16 or more visible ASCII characters; write longer ones")
    return given


def session_store(value: str) -> str:
    """Return the address of a session store."""
    address = value.strip()
    if address == "memory://":
        return address
    if not re.fullmatch(r"rediss?://\S+", address):
        raise ValueError("is not a session store; write memory:// or redis://host:port/number")
    return _redis_address(address)


def _redis_address(address: str) -> str:
    try:
        from redis.connection import parse_url
    except ImportError:
        raise ValueError("needs redis-py; write memory://, or install the extra: dbplanet[redis]") from None
    try:
        parse_url(address)  # type: ignore[no-untyped-call]
    except ValueError:
        raise ValueError("is not a Redis address; write redis://host:port/number") from None
    return address


def level(value: str) -> str:
    """Return the name of a log level."""
    name = value.strip().upper()
    if name not in ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"):
        raise ValueError("is not a log level; choose from DEBUG, INFO, WARNING, ERROR, CRITICAL")
    return name


def log_format(value: str) -> str:
    """Return the name of a form of log lines."""
    name = value.strip().lower()
    if name not in ("text", "json"):
        raise ValueError("is not a log format; choose from text, json")
    return name


def log_file(value: str) -> str:
    """Return the path of a file that can be appended to, or made."""
    if not can_be_appended(value):
        raise ValueError("cannot be written to; write the path of a file in a folder that exists")
    return value


def can_be_appended(path: str) -> bool:
    """Tell whether a file can be written to, or made where it does not exist."""
    file = Path(path)
    return os.access(file, os.W_OK) and file.is_file() if file.exists() else os.access(file.parent, os.W_OK)


def ca_bundle(value: str) -> str:
    """Return the path of a file or folder of certificates that can be read."""
    from dbplanet.egress import tls_context  # as in _check_api_policy

    try:
        tls_context(value)
    except OSError:
        raise ValueError("cannot be read as certificates; write the path of a PEM file or folder") from None
    return value
