"""The state of a call that went back to the client to ask: signed, bound, and short-lived.

Whatever comes back is in an attacker's hands: it is accepted only if this server signed it, for this caller,
this method and these parameters, a short while ago. Source: specification 2026-07-28, patterns/mrtr.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Any, Final

from itsdangerous import BadData, URLSafeTimedSerializer

from dbplanet.mcp.identity import Identity
from dbplanet.mcp.protocol import INVALID_PARAMS, RpcError, encode

LIFETIME: Final = 600  # seconds that a person may take to answer


class RequestState:
    """Seals and opens ``requestState`` with ``key``, the same in all processes of a server."""

    def __init__(self, key: str | bytes) -> None:
        self._key = key.encode() if isinstance(key, str) else key
        self._serializer = URLSafeTimedSerializer(key, salt="mcp-request-state")

    def seal(self, state: Any, method: str, params: Mapping[str, Any], identity: Identity) -> str:
        """Return ``state`` as an opaque text for the client to bring back."""
        return str(self._serializer.dumps([self._binding(method, params, identity), state]))

    def open(self, sealed: Any, method: str, params: Mapping[str, Any], identity: Identity) -> Any:
        """Return what was sealed; raises RpcError -32602 for anything but this call's own state."""
        try:
            binding, state = self._serializer.loads(sealed, max_age=LIFETIME)
        except (BadData, TypeError, ValueError):
            raise _refused() from None
        if binding != self._binding(method, params, identity):
            raise _refused()
        return state

    def _binding(self, method: str, params: Mapping[str, Any], identity: Identity) -> str:
        """Return a digest of what a state belongs to; keyed, since the credentials are part of it."""
        target = {key: params.get(key) for key in ("name", "uri", "arguments")}
        bound = encode([method, target, list(identity.values)])
        return hmac.digest(self._key, bound, "sha256").hex()


def _refused() -> RpcError:
    return RpcError(INVALID_PARAMS, "Invalid params: requestState is not of this call, or too old")


def read_answers(params: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return ``inputResponses``; raises RpcError -32602 unless each is an object."""
    answers = params.get("inputResponses")
    if answers is None:
        return {}
    if not isinstance(answers, dict) or not all(isinstance(answer, dict) for answer in answers.values()):
        raise RpcError(INVALID_PARAMS, "Invalid params: inputResponses must hold objects")
    return answers
