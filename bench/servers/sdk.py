"""The official Python SDK's server, as its documentation builds one: sessions, JSON answers, uvicorn.

    python -m bench.servers.sdk aiohttp|httpx|httpx2 PORT TENANT TOOLS

``TENANT`` is its origin, ``TOOLS`` the file with our own ``tools/list``, whose tools are listed alike.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, Final

import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from pydantic import Field

from bench import job
from bench.servers.tenants import CLIENTS, Tenant

_TYPES: Final = {"string": str, "integer": int, "boolean": bool}


def main(client: str, port: str, origin: str, tools: str) -> None:
    """Serve until the process is ended."""

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[Tenant]:
        async with CLIENTS[client]() as made:
            yield Tenant(origin, made)

    server = MCPServer("bench", version="1.0", lifespan=lifespan, log_level="WARNING")
    for described in json.loads(Path(tools).read_text("utf-8")):
        name = described["name"]
        function = get_me if name == job.TOOL else stand_in(described["inputSchema"])
        server.add_tool(function, name, described["title"], described["description"], structured_output=False)
    app = server.streamable_http_app(json_response=True)
    uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="warning", access_log=False, backlog=2048)


async def get_me(ctx: Context[Tenant, Any]) -> str:
    """Answer who the caller is; one token for each session, or for each user where there are none."""
    headers = ctx.headers or {}
    user = headers["x-dbplanet-username"]
    tenant = ctx.request_context.lifespan_context
    return job.text(await tenant.me(headers.get("mcp-session-id", user), headers))


def stand_in(schema: dict[str, Any]) -> Callable[..., str]:
    """Return a tool with the arguments of ``schema`` that does nothing; it is listed, not called."""

    def tool(**arguments: Any) -> str:
        return "not measured"

    required = schema.get("required", [])
    parameters = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if name in required else shape.get("default"),
            annotation=Annotated[_type(shape, name in required), Field(description=shape.get("description"))],
        )
        for name, shape in schema.get("properties", {}).items()
    ]
    vars(tool)["__signature__"] = inspect.Signature(parameters, return_annotation=str)
    return tool


def _type(shape: dict[str, Any], is_required: bool) -> Any:
    given = _TYPES[shape["type"]]
    return given if is_required or "default" in shape else given | None


if __name__ == "__main__":
    main(*sys.argv[1:])
