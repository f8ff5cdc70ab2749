"""What the Python clients do: ``python_client.py LIBRARY JOB``; prints one report as JSON.

Runs in the client's own virtual environment, so it imports nothing but the client. A job has ``url`` and
``headers`` (or ``command`` and ``environ``, for stdio), ``mode``, and ``calls``: label → tool, arguments.
"""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import asynccontextmanager


@asynccontextmanager
async def mcp1(job):
    """Connect with ``mcp`` 1.x; yield the negotiated version and what calls."""
    from mcp import ClientSession
    from mcp.client.streamable_http import streamablehttp_client

    async with (
        streamablehttp_client(job["url"], headers=job["headers"]) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        opened = await session.initialize()
        yield opened.protocolVersion, session


@asynccontextmanager
async def mcp2(job):
    """Connect with ``mcp`` 2.x, over HTTP or stdio."""
    import httpx2
    from mcp import Client, StdioServerParameters
    from mcp.client.streamable_http import streamable_http_client

    async with httpx2.AsyncClient(headers=job["headers"], timeout=60) as http:
        if "command" in job:
            command, *arguments = job["command"]
            server = StdioServerParameters(command=command, args=arguments, env=job["environ"])
        else:
            server = streamable_http_client(job["url"], http_client=http)
        async with Client(server, mode=job["mode"]) as client:
            yield client.protocol_version, client


@asynccontextmanager
async def fastmcp(job):
    """Connect with fastmcp."""
    from fastmcp import Client
    from fastmcp.client.transports import StreamableHttpTransport

    transport = StreamableHttpTransport(job["url"], headers=job["headers"])
    async with Client(transport, mode=job["mode"]) as client:
        yield client.protocol_version, client


async def call(client, tool, arguments):
    """Return what a call came to: its text, whether that is an error, and the progress on the way."""
    progress = []

    async def note(done, total, message):
        progress.append([done, total, message])

    fast = hasattr(client, "call_tool_mcp")
    options = {"progress_handler": note, "raise_on_error": False} if fast else {"progress_callback": note}
    try:
        result = await client.call_tool(tool, arguments, **options)
    except Exception as error:
        return {"text": str(error), "is_error": True, "progress": progress}
    is_error = result.isError if hasattr(result, "isError") else result.is_error
    return {"text": result.content[0].text, "is_error": is_error, "progress": progress}


async def main(library, job):
    """Connect, list, make every call, close."""
    async with globals()[library](job) as (version, client):
        listed = await client.list_tools()
        tools = [tool.name for tool in getattr(listed, "tools", listed)]
        calls = {label: await call(client, *what) for label, what in job["calls"].items()}
    print(json.dumps({"version": version, "tools": tools, "calls": calls}))


def parsed(text):
    """Return a job, its headers encoded: as text httpx takes ASCII only, and passwords have umlauts."""
    job = json.loads(text)
    encoded = {name: value.encode() for name, value in job.get("headers", {}).items()}
    return {**job, "headers": encoded}


asyncio.run(main(sys.argv[1], parsed(sys.argv[2])))
