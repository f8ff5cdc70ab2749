"""One TLS context per CA bundle and process: loading a bundle takes about 10 ms, requests does it anew for
each connection when it is handed a file name."""

from __future__ import annotations

import ssl
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import certifi


class _SharedContext(ssl.SSLContext):
    """A context that many threads may use at once.

    urllib3 sets the ALPN protocols again before each handshake, which would free them under the hands of
    another thread's handshake.
    """

    def set_alpn_protocols(self, alpn_protocols: Iterable[str]) -> None:
        """Do nothing: the protocols were set when the context was made."""


@lru_cache(maxsize=8)
def tls_context(ca_bundle: str | None = None) -> ssl.SSLContext:
    """Return the context that trusts `ca_bundle` (a PEM file or a folder of hashed ones; certifi's if None).

    Nothing is read from the environment. Raises OSError when there is no such file, ssl.SSLError (an
    OSError too) when it holds no certificate: call it at the start to find that out.
    """
    path = Path(ca_bundle or certifi.where())
    context = _SharedContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.hostname_checks_common_name = False
    if path.is_dir():
        context.load_verify_locations(capath=str(path))
    else:
        context.load_verify_locations(cafile=str(path))
    ssl.SSLContext.set_alpn_protocols(context, ["http/1.1"])
    return context
