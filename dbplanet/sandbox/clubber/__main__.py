"""``python -m dbplanet.sandbox.clubber``: serve a member register until stopped."""

from __future__ import annotations

import argparse

from dbplanet.sandbox.serving import serve_from_command_line

from .server import serve


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m dbplanet.sandbox.clubber", description="Serve a GraphQL API of club members to try."
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000, help="0 takes a free one (default: %(default)s)")
    parser.add_argument("--database", help="SQLite file to keep the members in (default: a temporary one)")
    parser.add_argument("--empty", action="store_true", help="begin a new register without any member")
    parser.add_argument(
        "--no-introspection", dest="introspection", action="store_false", help="hide the schema"
    )
    return parser


def main() -> None:
    """Serve as the command line says."""
    serve_from_command_line(_parser(), serve, "Clubber sandbox")


if __name__ == "__main__":
    main()
