"""``python -m dbplanet.clubber``: serve one MCP client on standard input and output.

``CLUBBER_API_URL`` names the GraphQL API; the time and size limits and ``DBPLANET_READ_ONLY`` count here too.
"""

from __future__ import annotations

import os
import sys

from dbplanet.clubber.server import API_URL_SETTING, api_url_in, clubber_server
from dbplanet.mcp.identity import Anyone
from dbplanet.mcp.scope import Scope
from dbplanet.mcp.stdio import StdioServer
from dbplanet.settings import Settings, SettingsError
from dbplanet.watching import watch_of


def main() -> None:
    """Serve until the input ends; a setting that is wrong ends the start with its name on stderr."""
    sink = sys.stdout.buffer
    # Whatever a library prints must not break the protocol.
    sys.stdout = sys.stderr
    try:
        settings = Settings.load()
        watch = watch_of(settings, "clubber")
        server = clubber_server(
            api_url_in(os.environ),
            connect_timeout=settings.connect_timeout,
            read_timeout=settings.read_timeout,
            deadline=settings.deadline,
            max_response_bytes=settings.max_response_bytes,
            max_text_chars=settings.max_text_chars,
            scope=Scope(settings.read_only),
            user_agent=settings.user_agent,
            confirm_writes=settings.confirm_writes,
            state_key=settings.secret_key,
            observer=watch,
            observe=watch.upstream,
        )
    except SettingsError as error:
        sys.exit(f"Configuration error: {error}")
    except ValueError as error:
        sys.exit(f"Configuration error: {API_URL_SETTING} {error}")
    StdioServer(server, Anyone(), sys.stdin.buffer, sink).serve()


if __name__ == "__main__":
    main()
