"""Who may call at all: bearer tokens that the operator hands out."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from typing import Final

from dbplanet.mcp.protocol import INVALID_REQUEST, RpcError

CHALLENGE: Final = 'Bearer realm="mcp"'


class AccessTokens:
    """The tokens that are accepted; with none at all everybody is."""

    def __init__(self, tokens: Sequence[str] = ()) -> None:
        self._tokens = [token.encode() for token in tokens]

    def __repr__(self) -> str:
        return f"AccessTokens({len(self._tokens)})"

    def check(self, authorization: str | None) -> str:
        """Return which token an Authorization header (Latin-1, as in WSGI) carries, counted from 1.

        Where none is asked for, that is an empty text. Raises RpcError 401 for a header without one of them.
        """
        if not self._tokens:
            return ""
        scheme, _, given = (authorization or "").partition(" ")
        # Each is compared whole and in constant time, so that the time tells nothing about any of them.
        matches = [hmac.compare_digest(given.strip().encode("latin-1"), token) for token in self._tokens]
        if scheme.lower() != "bearer" or not any(matches):
            raise RpcError(
                INVALID_REQUEST, "Unauthorized: send Authorization: Bearer with a token", status=401
            )
        return str(matches.index(True) + 1)
