"""Encryption of what is kept elsewhere, bound to the place where it is kept."""

from __future__ import annotations

import hmac
import json
import secrets
from typing import Any, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_NONCE_BYTES: Final = 12


class Sealing:
    """AES-256-GCM and HMAC-SHA-256 under two keys derived from ``secret``.

    A sealed value opens only under the key that it was sealed for: copied to another key, it is rubbish.
    """

    def __init__(self, secret: str) -> None:
        self._name_key = _derived(secret, b"dbplanet store: names")
        self._cipher = AESGCM(_derived(secret, b"dbplanet store: values"))

    def prefix(self, kind: str) -> str:
        """Return the beginning of all keys of a kind."""
        return f"dbplanet:{kind}:"

    def key(self, kind: str, name: str) -> str:
        """Return the key of ``name``, from which the name cannot be told: it may be a bearer secret."""
        return f"{self.prefix(kind)}{hmac.digest(self._name_key, f'{kind}:{name}'.encode(), 'sha256').hex()}"

    def seal(self, key: str, value: Any) -> bytes:
        """Return a JSON value encrypted for ``key``."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, json.dumps(value).encode(), key.encode())

    def open(self, key: str, sealed: bytes) -> Any:
        """Return what was sealed for ``key``; raises ValueError for anything else."""
        try:
            return json.loads(
                self._cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], key.encode())
            )
        except InvalidTag:
            raise ValueError("not sealed for this key under this secret") from None


def _derived(secret: str, purpose: bytes) -> bytes:
    """HKDF-Expand (RFC 5869) of one block: the secret is random already."""
    return hmac.digest(secret.encode(), purpose + b"\x01", "sha256")
