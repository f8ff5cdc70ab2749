"""Header rules in both directions.

Source: reference "GraphQL and HTTP egress", 4.7: requests sends NUL and names with spaces, lets `Host` and
`Transfer-Encoding` be replaced, and quotes the value of a bad header in its message.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from requests.structures import CaseInsensitiveDict

from .errors import EgressError
from .limits import Limits

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")

#: set by the connection, trusted by proxies, or keys to cloud metadata: never the caller's
_FORBIDDEN = frozenset(
    {"host", "content-length", "transfer-encoding", "connection", "keep-alive", "te", "trailer", "upgrade"}
    | {"expect", "accept-encoding", "http2-settings", "via", "forwarded", "x-real-ip"}
    | {"x-original-url", "x-rewrite-url", "x-http-method", "x-http-method-override", "x-method-override"}
    | {"metadata", "metadata-flavor", "x-aws-ec2-metadata-token", "x-aws-ec2-metadata-token-ttl-seconds"}
)
_FORBIDDEN_PREFIXES = ("proxy-", "sec-", "x-forwarded-")

#: what may follow a redirect to another origin: nothing that a caller may have put a secret into
_HARMLESS = frozenset({"accept", "accept-language", "content-type", "user-agent"})


class FixedHeaders(Mapping[str, str]):
    """Headers that stay as they are: sent again, the same object is not checked and written out again."""

    def __init__(self, headers: Mapping[str, str]) -> None:
        self._headers = dict(headers)

    def __repr__(self) -> str:
        return "FixedHeaders(…)"

    def __getitem__(self, name: str) -> str:
        return self._headers[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._headers)

    def __len__(self) -> int:
        return len(self._headers)


class RequestHeaders(CaseInsensitiveDict[str]):
    """The headers of a request, as requests has them; `lines()` are those of the wire. Not to be changed."""

    _lines: str | None = None

    def lines(self) -> str:
        """Return each as a line with its end."""
        if self._lines is None:
            self._lines = lines_of(self)
        return self._lines


def lines_of(headers: Mapping[str, str]) -> str:
    """Return headers as they go over the wire, each as a line with its end."""
    return "".join([f"{name}: {value}\r\n" for name, value in headers.items()])


def check_headers(headers: Mapping[str, str], limits: Limits) -> dict[str, str]:
    """Return `headers` with trimmed values, or raise EgressError (invalid_headers, forbidden_header).

    The error's `reason` is the name at fault where that is a valid one, never a value.
    """
    checked: dict[str, str] = {}
    seen: set[str] = set()
    for name, value in headers.items():
        checked[name] = _check_header(name, value, seen)
    size = sum(len(name) + len(value) + 4 for name, value in checked.items())
    if len(checked) > limits.request_headers or size > limits.request_header_bytes:
        raise EgressError("invalid_headers")
    return checked


def _check_header(name: str, value: str, seen: set[str]) -> str:
    if not isinstance(name, str) or not _TOKEN.fullmatch(name):
        raise EgressError("invalid_headers")
    lowered = name.lower()
    if lowered in _FORBIDDEN or lowered.startswith(_FORBIDDEN_PREFIXES):
        raise EgressError("forbidden_header", reason=name)
    if lowered in seen or not isinstance(value, str) or not _is_field_value(value):
        raise EgressError("invalid_headers", reason=name)
    seen.add(lowered)
    return value.strip(" \t")


def _is_field_value(value: str) -> bool:
    if value.isascii() and value.isprintable():
        return True
    return not _CONTROL.search(value) and (not value or max(value) <= "\xff")


def for_other_origin(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the few headers that may follow a redirect to another origin."""
    return {name: value for name, value in headers.items() if name.lower() in _HARMLESS}


class Fields(Mapping[str, str]):
    """Header fields in the order in which they came, one string for each name; look-ups ignore case."""

    def __init__(self) -> None:
        self._fields: dict[str, tuple[str, str]] = {}

    def add(self, name: str, value: str) -> None:
        """Add a field; a repeated one is joined by `, `, Set-Cookie by a line feed: its dates hold commas."""
        key = name.lower()
        if key in self._fields:
            name, before = self._fields[key]
            value = f"{before}\n{value}" if key == "set-cookie" else f"{before}, {value}"
        self._fields[key] = (name, value)

    def __getitem__(self, name: str) -> str:
        return self._fields[name.lower()][1]

    def get(self, name: str, default: Any = None) -> Any:
        """Return a field, or `default`; the one of Mapping raises an error to find that out."""
        field = self._fields.get(name.lower())
        return default if field is None else field[1]

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._fields.values())

    def __len__(self) -> int:
        return len(self._fields)


def response_headers(pairs: Iterable[tuple[str, str]]) -> Fields:
    """Return an answer's headers; names that are no token are left out, control characters become spaces."""
    fields = Fields()
    for name, value in pairs:
        if _TOKEN.fullmatch(name):
            fields.add(name, without_controls(value))
    return fields


def without_controls(text: str) -> str:
    """Return an answer's header value or reason phrase with spaces for its control characters."""
    return text if text.isprintable() else _CONTROL.sub(" ", text)
