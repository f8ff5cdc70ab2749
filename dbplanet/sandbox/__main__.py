"""``python -m dbplanet.sandbox``: serve a sandbox tenant until stopped."""

from __future__ import annotations

import argparse

from .app import DEFAULT_TENANT, TOKEN_SECONDS
from .profiles import PROFILES
from .server import serve
from .serving import serve_from_command_line


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m dbplanet.sandbox", description="Serve a Haiilo tenant to try."
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=3001, help="0 takes a free one (default: %(default)s)")
    parser.add_argument("--profile", choices=list(PROFILES), default="spec", help="generation of the API")
    parser.add_argument("--tenant", default=DEFAULT_TENANT, help="the tenant's name (default: %(default)s)")
    parser.add_argument("--token-seconds", type=int, default=TOKEN_SECONDS, help="life of an access token")
    parser.add_argument("--database", help="SQLite file to keep the state in (default: a temporary one)")
    return parser


def main() -> None:
    """Serve as the command line says."""
    serve_from_command_line(_parser(), serve, "DB Planet sandbox")


if __name__ == "__main__":
    main()
