"""URL rules: what a URL may look like before anything is resolved, and where exactly it leads.

Source: reference "GraphQL and HTTP egress", 4.2 items 1 and 3, and its hostile table (section 5).
"""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

import idna
from urllib3.exceptions import LocationParseError
from urllib3.util import parse_url

from .errors import EgressError, blocked

MAX_URL = 8192
DEFAULT_PORTS = {"http": 80, "https": 443}

_NOT_VISIBLE_ASCII = re.compile(r"[^\x21-\x5b\x5d-\x7e]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(.*)", re.DOTALL)
_AUTHORITY = re.compile(r"//([^/?#]*)(.*)", re.DOTALL)
_PORT = re.compile(r"(.*?)(?::([0-9]{0,5}))?", re.DOTALL)
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMERIC_LABEL = re.compile(r"[0-9]+|0x[0-9a-f]*")
_ESCAPE = "%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[B-DF])"
_PLAIN = "[A-Za-z0-9_.~!$&'()*+,;=:@/-]"
_CANONICAL_PATH = rf"/(?!/)(?:{_PLAIN}|{_ESCAPE})*(?:\?(?:{_PLAIN}|[?]|{_ESCAPE})+)?"
_CANONICAL = re.compile(rf"(https?)://([a-z0-9.:\[\]-]+)({_CANONICAL_PATH})")
_DOTTED_DECIMAL = re.compile(r"(?:(?:0|[1-9][0-9]{0,2})\.){3}(?:0|[1-9][0-9]{0,2})")
# control, format (zero width, soft hyphen, bidi), separators, surrogates, unassigned
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Cn", "Zs", "Zl", "Zp"})


class Target(NamedTuple):
    """Where a URL leads: lower-case `scheme`, ASCII `host` (IPv6 without brackets), and `port`."""

    scheme: str
    host: str
    port: int

    @property
    def authority(self) -> str:
        """`host[:port]` as it stands in a URL or a Host header: without the scheme's default port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"


class ParsedUrl(NamedTuple):
    """A URL that keeps the rules: its `target`, `url`, the same URL with an ASCII host, and what follows it.

    `path` is everything behind the authority: path, query and fragment.
    """

    target: Target
    url: str
    path: str


def check_url(url: str) -> ParsedUrl:
    """Return `url` taken apart, or raise EgressError (invalid_url, invalid_scheme, blocked).

    Nothing is resolved here. A host that reads as a number in any form but strict dotted decimal is
    refused, because the system's resolver would dial `0x7f.1` or `2130706433` as an address.
    """
    if len(url) > MAX_URL or _has_unseen_characters(url):
        raise EgressError("invalid_url")
    scheme = _SCHEME.fullmatch(url)
    if scheme is None or scheme[1].lower() not in DEFAULT_PORTS:
        raise EgressError("invalid_scheme")
    authority = _AUTHORITY.fullmatch(scheme[2])
    if authority is None:
        raise EgressError("invalid_url")
    target = _target(scheme[1].lower(), authority[1])
    if url.isascii():
        return ParsedUrl(target, url, authority[2])
    return ParsedUrl(target, f"{target.scheme}://{target.authority}{authority[2]}", authority[2])


def canonical_url(url: str) -> ParsedUrl | None:
    """Return `url` taken apart if it is as requests would write it; None where a glance cannot tell.

    requests writes host and port as they stand in `target`, a path without dot segments, and escapes in upper
    case, of nothing but what needs them. Raises EgressError as `check_url` does.
    """
    found = _CANONICAL.fullmatch(url) if len(url) <= MAX_URL else None
    if found is None or "/." in found[3]:
        return None
    target = _target(found[1], found[2])
    return ParsedUrl(target, url, found[3]) if target.authority == found[2] else None


def join(base: str, location: str) -> str:
    """Return where a redirect's `location` leads from `base`, unchecked; raise EgressError (invalid_url).

    urljoin strips tabs, and takes `http://` for no location at all.
    """
    if _has_unseen_characters(location):
        raise EgressError("invalid_url")
    try:
        return location if _SCHEME.fullmatch(location) else urljoin(base, location)
    except ValueError:
        raise EgressError("invalid_url") from None


def target_of(scheme: str, host: str, port: int) -> Target:
    """Return the target of a connection's own `host` and `port`, by the same rules as a URL's."""
    return _target(scheme, f"[{host}]:{port}" if ":" in host else f"{host}:{port}")


def _has_unseen_characters(url: str) -> bool:
    if url.isascii():
        return _NOT_VISIBLE_ASCII.search(url) is not None
    return "\\" in url or any(unicodedata.category(char) in _UNSEEN_CATEGORIES for char in url)


@lru_cache(maxsize=1024)
def _target(scheme: str, authority: str) -> Target:
    """Read an authority (`host[:port]`); cached, because a client talks to few hosts again and again."""
    for sign, reason in (("@", "userinfo"), ("%", "percent_host")):
        if sign in authority:
            raise blocked(reason)
    host, port = _split_port(authority)
    host = _ipv6(host) if host.startswith("[") else _name(host)
    target = Target(scheme, host, int(port) if port else DEFAULT_PORTS[scheme])
    if not 0 < target.port < 65536:
        raise EgressError("invalid_url")
    _require_agreement(target)
    return target


def _split_port(authority: str) -> tuple[str, str]:
    match = _PORT.fullmatch(authority)
    host, port = (match[1], match[2] or "") if match else (authority, "")
    if not host or (":" in host and not (host.startswith("[") and host.endswith("]"))):
        raise EgressError("invalid_url")
    return host, port


def _ipv6(literal: str) -> str:
    try:
        return str(ipaddress.IPv6Address(literal[1:-1]))
    except ValueError:
        raise EgressError("invalid_url") from None


def _name(host: str) -> str:
    """Return a host name or IPv4 address in ASCII lower case; one trailing dot is kept, as DNS means it."""
    lowered = host.lower()
    labels = lowered.removesuffix(".").split(".")
    if _NUMERIC_LABEL.fullmatch(labels[-1]):
        return _ipv4(".".join(labels))
    labels = [label if label.isascii() else _to_ascii(label) for label in labels]
    if not all(_LABEL.fullmatch(label) for label in labels) or sum(map(len, labels)) + len(labels) > 254:
        raise EgressError("invalid_url")
    # once more: what the mapping made of the last label must not be a number either
    if _NUMERIC_LABEL.fullmatch(labels[-1]):
        raise blocked("ipv4_form")
    return ".".join(labels) + ("." if lowered.endswith(".") else "")


def _ipv4(text: str) -> str:
    if not _DOTTED_DECIMAL.fullmatch(text):
        raise blocked("ipv4_form")
    try:
        return str(ipaddress.IPv4Address(text))
    except ValueError:
        raise blocked("ipv4_form") from None


def _to_ascii(label: str) -> str:
    """Encode one label by IDNA 2008 without any mapping: full-width and circled look-alikes are refused."""
    try:
        return idna.alabel(label).decode("ascii")
    except (idna.IDNAError, UnicodeError):
        raise EgressError("invalid_url") from None


def _require_agreement(target: Target) -> None:
    """Two parsers, the standard library's and urllib3's, must read the same scheme, host and port."""
    url = f"{target.scheme}://{target.authority}/"
    try:
        one, two = urlsplit(url), parse_url(url)
        ports = {one.port or DEFAULT_PORTS[target.scheme], two.port or DEFAULT_PORTS[target.scheme]}
    except (ValueError, LocationParseError):
        raise EgressError("invalid_url") from None
    hosts = {(one.hostname or "").strip("[]"), (two.host or "").strip("[]")}
    if {one.scheme, two.scheme} != {target.scheme} or hosts != {target.host} or ports != {target.port}:
        raise blocked("parser_differential")
