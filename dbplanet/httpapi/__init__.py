"""The api server: HTTP calls to any API that its operator permits (specification "MCP API Server").

    server = api_server(version="1.0", nets=["127.0.0.1/32:3001"])

It stands on the guard (`dbplanet.egress`) and the engine (`dbplanet.mcp`), and knows no Haiilo.
"""

from dbplanet.httpapi.server import api_server

__all__ = ["api_server"]
