"""An api server on standard input and output; its arguments are the nets that it may reach."""

from __future__ import annotations

import sys

from dbplanet.httpapi import api_server
from dbplanet.mcp.identity import Anyone
from dbplanet.mcp.stdio import StdioServer

server = api_server(version="1", nets=sys.argv[1:])
StdioServer(server, Anyone(), sys.stdin.buffer, sys.stdout.buffer).serve()
