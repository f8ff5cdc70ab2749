"""Who calls, as logs may hold it: a keyed digest in place of the tenant and of the user name."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from dbplanet.haiilo.credentials import Credentials
from dbplanet.mcp.identity import Identity

# The trace and the span of a W3C traceparent (version 00); all zeros mean none.
_TRACEPARENT: Final = re.compile(r"00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}")
_DIGITS: Final = 16  # of a pseudonym: enough to tell any number of users apart
_KEPT: Final = 2048  # pseudonyms at most; a digest takes ten times as long as a look

Name = Callable[[Identity], Mapping[str, str]]


class Pseudonyms:
    """Digests under ``key``: whoever reads them cannot try names, and the same key gives the same ones."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._kept = lru_cache(_KEPT)(self._made)

    def of(self, *values: str | None) -> str:
        """Return the pseudonym of these values together."""
        return self._kept(values)

    def _made(self, values: tuple[str | None, ...]) -> str:
        joined = "\0".join(value or "" for value in values).encode("utf-8", "surrogatepass")
        return hmac.digest(self._key, joined, "sha256").hex()[:_DIGITS]


def naming(pseudonyms: Pseudonyms, operator: Credentials) -> Name:
    """Return what names a caller in logs: ``tenant`` and ``user``; callers without credentials have none.

    ``operator`` stands for a request that carries no credential, as it does where such a request is served.
    """

    def name(identity: Identity) -> Mapping[str, str]:
        if not isinstance(identity, Credentials):
            return {}
        caller = identity if identity.given else operator
        tenant = (caller.base_url or "").strip().lower().rstrip("/")
        return {"tenant": pseudonyms.of(tenant), "user": pseudonyms.of(tenant, caller.username)}

    return name


def trace_of(meta: Mapping[str, Any]) -> Mapping[str, str]:
    """Return ``trace_id`` and ``span_id`` of a call's ``_meta`` (traceparent), or nothing where it has none.

    ``tracestate`` and ``baggage`` are free text of strangers, which no log of ours repeats.
    """
    given = meta.get("traceparent")
    found = _TRACEPARENT.fullmatch(given) if isinstance(given, str) else None
    return {"trace_id": found[1], "span_id": found[2]} if found else {}
