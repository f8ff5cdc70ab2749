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
from ipaddress import ip_address
from typing import Any, Final

from dbplanet import setting_types as types

PREFIX: Final = "DBPLANET_"

# What Kubernetes injects for a Service named "dbplanet"; none of it is a setting of ours.
_INJECTED: Final = re.compile(r"(SERVICE_|PORT_).*|PORT")

# What 128 random bits need in base64, rounded down; a password would be guessed.
_LEAST_SECRET: Final = 20

logger = logging.getLogger(__name__)


class SettingsError(ValueError):
    """A setting that stops the start; the message names it, its fault and the fix."""


def _setting(default: str | None, read: Callable[[str], Any], *, secret: bool = False) -> Any:
    value = None if default is None else read(default)
    return field(default=value, repr=not secret, metadata={"read": read, "secret": secret})


@dataclass(frozen=True)
class Settings:
    """The settings of one application; times in seconds, sizes in bytes or characters."""

    host: str = _setting("127.0.0.1", types.host)
    # The most that are made; as many run as the processor can feed (gunicorn_pool.py). 500 callers of one
    # tenant that answers in 50 ms: p99 0.54 s with 160, 3.4 s with 640.
    threads: int = _setting("160", types.whole(4, 4096))
    servers: tuple[str, ...] = _setting("dbplanet", types.servers)
    username: str | None = _setting(None, types.text, secret=True)
    password: str | None = _setting(None, types.text, secret=True)
    client_id: str | None = _setting(None, types.text, secret=True)
    client_secret: str | None = _setting(None, types.text, secret=True)
    base_url: str | None = _setting(None, types.origin)
    allow_default_credentials: bool = _setting("false", types.boolean)
    access_tokens: tuple[str, ...] = _setting("", types.tokens, secret=True)
    allowed_base_urls: tuple[str, ...] = _setting("", types.origins)
    allowed_hosts: tuple[str, ...] = _setting("127.0.0.1,localhost,[::1]", types.hosts)
    allowed_origins: tuple[str, ...] = _setting("127.0.0.1,localhost,[::1]", types.hosts)
    connect_timeout: float = _setting("5", types.number(0.01))
    read_timeout: float = _setting("20", types.number(0.01))
    deadline: float = _setting("50", types.number(0.01))
    retry_after_cap: float = _setting("10", types.number(0))
    # 64 callers of one tenant that answers in 50 ms: p50 52 ms; with 48 67 ms, with 32 102 ms.
    tenant_concurrency: int = _setting("64", types.whole(1, 4096))
    max_request_bytes: int = _setting("4194304", types.whole(1024))
    max_response_bytes: int = _setting("10485760", types.whole(1024))
    max_text_chars: int = _setting("25000", types.whole(1000))
    session_store: str = _setting("memory://", types.session_store, secret=True)
    read_only: bool = _setting("false", types.boolean)
    toolsets: tuple[str, ...] = _setting("", types.toolsets)
    confirm_writes: bool = _setting("false", types.boolean)
    secret_key: str | None = _setting(None, types.key, secret=True)
    session_ttl: float = _setting("28800", types.number(1))
    proxy: str | None = _setting(None, types.proxy, secret=True)
    ca_bundle: str | None = _setting(None, types.ca_bundle)
    user_agent: str | None = _setting(None, types.header_text)
    api_allowed_hosts: tuple[str, ...] = _setting("", types.api_hosts)
    api_allowed_nets: tuple[str, ...] = _setting("", types.api_nets)
    api_log_requests: bool = _setting("false", types.boolean)
    log_level: str = _setting("INFO", types.level)
    log_format: str = _setting("text", types.log_format)
    slow_call: float = _setting("10", types.number(0.01))
    audit_log: str | None = _setting(None, types.log_file)

    def __post_init__(self) -> None:
        if self.allow_default_credentials:
            missing = [name for name in CREDENTIALS if not getattr(self, name)]
            if missing:
                named = ", ".join(PREFIX + name.upper() for name in missing)
                raise SettingsError(
                    f"{PREFIX}ALLOW_DEFAULT_CREDENTIALS needs the operator's credentials: set {named}"
                )

        if self.session_store != "memory://" and len(self.secret_key or "") < _LEAST_SECRET:
            raise SettingsError(
                f"{PREFIX}SESSION_STORE keeps credentials encrypted: set {PREFIX}SECRET_KEY to "
                f"{_LEAST_SECRET} or more random characters, the same for all processes and hosts"
            )

        if self._is_open() and not self.access_tokens:
            raise SettingsError(
                f"{PREFIX}HOST {self.host!r} is open to others, who could act as the operator by default "
                f"credentials, api or clubber: set {PREFIX}ACCESS_TOKENS, or bind to 127.0.0.1"
            )

    def _is_open(self) -> bool:
        """Tell whether others than this machine's users reach what needs no credentials of their own."""
        unguarded = self.allow_default_credentials or set(self.servers) - {"dbplanet"}
        return bool(unguarded) and not _is_loopback(self.host)

    @classmethod
    def load(cls, mapping: Mapping[str, Any] | None = None) -> Settings:
        """Return the settings in ``mapping`` (``<NAME>`` keys), else in the environment, else the defaults.

        Raises SettingsError.
        """
        given = {**from_environment(os.environ), **(mapping or {})}
        known = {setting.name.upper(): setting for setting in fields(cls)}
        unknown = sorted(given.keys() - known.keys())
        if unknown:
            hint = "did you mean CLUBBER_API_URL? " if unknown[0] == "CLUBBER_API_URL" else ""
            known_names = ", ".join(sorted(known))
            raise SettingsError(f"{PREFIX}{unknown[0]} is no setting; {hint}known are {known_names}")
        return cls(**{known[name].name: _read(known[name], value) for name, value in given.items()})


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


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
            logger.info("%s is ignored: it looks injected by Kubernetes (PORT sets the port)", key)


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
        return types.whole(1, 65_535)(given)
    except ValueError as fault:
        raise SettingsError(f"PORT: {given[:80]!r} {fault}") from None
