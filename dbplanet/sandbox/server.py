"""Serving the sandbox tenant."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from .app import DEFAULT_TENANT, TOKEN_SECONDS, create_sandbox
from .serving import serve_application


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 3001,
    profile: str = "spec",
    tenant: str = DEFAULT_TENANT,
    token_seconds: int = TOKEN_SECONDS,
    database: str | Path | None = None,
    announce: Callable[[str], object] | None = None,
) -> None:
    """Serve a sandbox until SIGTERM or SIGINT, as ``serve_application`` does.

    :raise OSError: the address cannot be had, e.g. because the port is in use.
    :raise ValueError: an unknown profile.
    """
    make_app = partial(create_sandbox, profile=profile, tenant=tenant, token_seconds=token_seconds)
    serve_application(make_app, host=host, port=port, database=database, announce=announce)
