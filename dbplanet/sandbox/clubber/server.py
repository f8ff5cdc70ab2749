"""Serving the register, as the sandbox tenant is served."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from dbplanet.sandbox.serving import serve_application

from .app import PATH, SEED, create_clubber


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    database: str | Path | None = None,
    empty: bool = False,
    introspection: bool = True,
    announce: Callable[[str], object] | None = None,
) -> None:
    """Serve the register until SIGTERM or SIGINT; with ``empty`` a new file begins without any member.

    :raise OSError: the address cannot be had, e.g. because the port is in use.
    """
    make_app = partial(create_clubber, seed=() if empty else SEED, introspection=introspection)
    serve_application(make_app, host=host, port=port, path=PATH, database=database, announce=announce)
