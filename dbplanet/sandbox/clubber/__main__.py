"""``python -m dbplanet.sandbox.clubber``: serve a member register until stopped."""

from __future__ import annotations

import argparse

from dbplanet.sandbox.serving import stop_at_end_of_input

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
    parser.add_argument("--until-stdin-closes", action="store_true", help="stop at the end of standard input")
    return parser


def main() -> None:
    """Serve as the command line says."""
    parser = _parser()
    options = vars(parser.parse_args())
    watch_input = options.pop("until_stdin_closes")

    def announce(url: str) -> None:
        print(f"Clubber sandbox on {url}", flush=True)
        if watch_input:
            stop_at_end_of_input()

    try:
        serve(**options, announce=announce)
    except OSError as error:
        parser.exit(1, f"{error.strerror}\n")


if __name__ == "__main__":
    main()
