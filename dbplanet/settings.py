"""Every setting, once: its name, type, default and meaning.

A setting is ``DBPLANET_<NAME>`` in the environment and ``<NAME>`` in a mapping. All values are read as
text and typed here, so that a password ``12345`` or ``null`` stays the text it is. Whatever is unknown or
malformed stops the start with a message that names the setting, the fault and the fix.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from dbplanet.haiilo.tenants import origin_of

PREFIX: Final = "DBPLANET_"

# What Kubernetes injects for a Service named "dbplanet"; none of it is a setting of ours.
_INJECTED: Final = re.compile(r"(SERVICE_|PORT_).*|PORT")

_TRUE: Final = frozenset({"true", "1", "yes"})
_FALSE: Final = frozenset({"false", "0", "no"})
_WILDCARD_ORIGIN: Final = "https://*."

SERVER_NAMES: Final = ("dbplanet",)
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

logger = logging.getLogger(__name__)


class SettingsError(ValueError):
    """A setting that stops the start; the message names it, its fault and the fix."""


def _text(value: str) -> str:
    return value


def _boolean(value: str) -> bool:
    word = value.strip().lower()
    if word not in _TRUE | _FALSE:
        raise ValueError("is not a boolean; write true or false")
    return word in _TRUE


def _number(least: float) -> Callable[[str], float]:
    def read(value: str) -> float:
        if not re.fullmatch(r"\d{1,9}(\.\d{1,6})?", value.strip(), re.ASCII) or float(value) < least:
            raise ValueError(f"is not a number of seconds; write one of at least {least:g}, such as 5")
        return float(value)

    return read


def _whole(least: int, most: int = 2**40) -> Callable[[str], int]:
    def read(value: str) -> int:
        if not re.fullmatch(r"\d{1,13}", value.strip(), re.ASCII) or not least <= int(value) <= most:
            raise ValueError(f"is not a whole number from {least} to {most}; write digits only")
        return int(value)

    return read


def _list(value: str) -> tuple[str, ...]:
    return tuple(filter(None, (entry.strip() for entry in value.split(","))))


def _servers(value: str) -> tuple[str, ...]:
    names = _list(value)
    if not names or not set(names) <= set(SERVER_NAMES):
        raise ValueError(f"names a server that does not exist; choose from {', '.join(SERVER_NAMES)}")
    return names


def _toolsets(value: str) -> tuple[str, ...]:
    names = tuple(name.lower() for name in _list(value))
    if not set(names) <= set(TOOLSET_NAMES):
        raise ValueError(f"names a toolset that does not exist; choose from {', '.join(TOOLSET_NAMES)}")
    return names


def _origin(value: str) -> str:
    origin = origin_of(value)
    if origin is None:
        raise ValueError("is not an origin; write scheme and host only, such as https://db-planet.example")
    return origin


def _origins(value: str) -> tuple[str, ...]:
    return tuple(map(_origin_pattern, _list(value)))


def _origin_pattern(value: str) -> str:
    if value.startswith(_WILDCARD_ORIGIN):
        return _origin(value.replace("*.", "", 1)).replace("https://", _WILDCARD_ORIGIN, 1)
    return _origin(value)


def _hosts(value: str) -> tuple[str, ...]:
    """Return host patterns; of an origin the host counts, not the scheme."""
    return tuple(re.sub(r"^[a-z][a-z0-9+.-]*://", "", entry.lower()).rstrip("/") for entry in _list(value))


def _proxy(value: str) -> str:
    if not re.fullmatch(r"http://([^@/?#\s]+@)?[A-Za-z0-9.-]+:\d{1,5}/?", value, re.ASCII):
        raise ValueError("is not a proxy; write http://host:port, or http://user:password@host:port")
    return value


def _session_store(value: str) -> str:
    if value.strip() != "memory://":
        raise ValueError("is not a session store; write memory://")
    return "memory://"


def _level(value: str) -> str:
    level = value.strip().upper()
    if level not in ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"):
        raise ValueError("is not a log level; choose from DEBUG, INFO, WARNING, ERROR, CRITICAL")
    return level


def _setting(default: str | None, read: Callable[[str], Any], *, secret: bool = False) -> Any:
    value = None if default is None else read(default)
    return field(default=value, repr=not secret, metadata={"read": read, "secret": secret})


@dataclass(frozen=True)
class Settings:
    """The settings of one application; times in seconds, sizes in bytes or characters."""

    host: str = _setting("127.0.0.1", _text)
    threads: int = _setting("160", _whole(4, 4096))
    servers: tuple[str, ...] = _setting("dbplanet", _servers)
    username: str | None = _setting(None, _text, secret=True)
    password: str | None = _setting(None, _text, secret=True)
    client_id: str | None = _setting(None, _text, secret=True)
    client_secret: str | None = _setting(None, _text, secret=True)
    base_url: str | None = _setting(None, _origin)
    allow_default_credentials: bool = _setting("false", _boolean)
    allowed_base_urls: tuple[str, ...] = _setting("", _origins)
    allowed_hosts: tuple[str, ...] = _setting("127.0.0.1,localhost,[::1]", _hosts)
    allowed_origins: tuple[str, ...] = _setting("127.0.0.1,localhost,[::1]", _hosts)
    connect_timeout: float = _setting("5", _number(0.01))
    read_timeout: float = _setting("20", _number(0.01))
    deadline: float = _setting("50", _number(0.01))
    max_request_bytes: int = _setting("4194304", _whole(1024))
    max_response_bytes: int = _setting("10485760", _whole(1024))
    max_text_chars: int = _setting("25000", _whole(1000))
    session_store: str = _setting("memory://", _session_store)
    read_only: bool = _setting("false", _boolean)
    toolsets: tuple[str, ...] = _setting("", _toolsets)
    confirm_writes: bool = _setting("false", _boolean)
    secret_key: str | None = _setting(None, _text, secret=True)
    session_ttl: float = _setting("28800", _number(1))
    proxy: str | None = _setting(None, _proxy)
    ca_bundle: str | None = _setting(None, _text)
    user_agent: str | None = _setting(None, _text)
    log_level: str = _setting("INFO", _level)

    def __post_init__(self) -> None:
        if self.allow_default_credentials:
            missing = [name for name in CREDENTIALS if not getattr(self, name)]
            if missing:
                named = ", ".join(PREFIX + name.upper() for name in missing)
                raise SettingsError(
                    f"{PREFIX}ALLOW_DEFAULT_CREDENTIALS needs the operator's credentials: set {named}"
                )

    @classmethod
    def load(cls, mapping: Mapping[str, Any] | None = None) -> Settings:
        """Return the settings in ``mapping`` (``<NAME>`` keys), else in the environment, else the defaults.

        Raises SettingsError.
        """
        given = {**from_environment(os.environ), **(mapping or {})}
        known = {setting.name.upper(): setting for setting in fields(cls)}
        unknown = sorted(given.keys() - known.keys())
        if unknown:
            raise SettingsError(f"{PREFIX}{unknown[0]} is no setting; known are {', '.join(sorted(known))}")
        return cls(**{known[name].name: _read(known[name], value) for name, value in given.items()})


CREDENTIALS: Final = ("username", "password", "client_id", "client_secret", "base_url")


def from_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return ``<NAME>`` → value for each ``DBPLANET_<NAME>``, without what Kubernetes injects.

    Raises SettingsError for a name with ``__``, which Flask would take for a nested setting.
    """
    found = {}
    for key in sorted(environ):
        name = key.removeprefix(PREFIX)
        if name == key:
            continue
        if "__" in name:
            raise SettingsError(f"{key} is no setting: settings have no double underscore")
        if not _INJECTED.fullmatch(name):
            found[name] = environ[key]
    return found


def log_ignored(environ: Mapping[str, str]) -> None:
    """Log each variable that looks like a setting but was put there by Kubernetes."""
    for key in sorted(environ):
        if key.startswith(PREFIX) and _INJECTED.fullmatch(key.removeprefix(PREFIX)):
            logger.info("%s is ignored: it is not a setting but looks injected by Kubernetes", key)


def _read(setting: Any, value: Any) -> Any:
    """Return a value typed: text is parsed, a value of Python's own is taken by its text."""
    if value is None:
        return setting.default
    joined = ",".join(map(str, value)) if isinstance(value, (list, tuple, set)) else str(value)
    try:
        return setting.metadata["read"](joined)
    except ValueError as fault:
        shown = "its value" if setting.metadata["secret"] else repr(joined[:80])
        raise SettingsError(f"{PREFIX}{setting.name.upper()}: {shown} {fault}") from None


def port(environ: Mapping[str, str]) -> int:
    """Return the TCP port: ``PORT`` (no prefix, as platforms set it), else 3000 (Requirement 13.3)."""
    given = environ.get("PORT", "3000")
    try:
        return _whole(1, 65_535)(given)
    except ValueError as fault:
        raise SettingsError(f"PORT: {given[:80]!r} {fault}") from None
