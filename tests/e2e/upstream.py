"""One tool call seen from the tenant's side."""

from __future__ import annotations

from typing import Any

from dbplanet.tools import ALL_TOOLS
from e2e.tenants import ME, TOKEN, Seen, Tenant
from e2e.wire import Server

TOOL_NAMES = [tool.name for tool in ALL_TOOLS]

# The least arguments with which every tool sends a request.
ARGUMENTS: dict[str, Any] = {
    "id": "x",
    "query": "x",
    "name": "x",
    "title": "x",
    "status": "yes",
    "startDate": "2031-01-01",
    "endDate": "2031-01-02",
    "targetId": "x",
    "targetType": "blog-article",
    "body": "x",
    "userId": "x",
    "contentId": "x",
    "contentType": "page",
}


def least_arguments(name: str) -> dict[str, Any]:
    """Return made-up values for the required arguments of a tool."""
    (schema,) = [tool.arguments.schema for tool in ALL_TOOLS if tool.name == name]
    return {argument: ARGUMENTS[argument] for argument in schema.get("required", [])}


def asked(server: Server, tenant: Tenant, tool: str, arguments: dict[str, str]) -> list[Seen]:
    """Call a tool in a session of its own; return what reached the tenant besides token and profile."""
    result = server.call(tool, arguments, server.session(tenant.headers()))
    assert not result.is_error, result.text
    journal = tenant.journal()
    lines = [seen.line for seen in journal]
    assert lines[0] == TOKEN
    assert lines.count(TOKEN) == 1
    assert lines.count(ME) <= 1
    assert all(seen.query == {} for seen in journal if seen.line in (TOKEN, ME))
    return [seen for seen in journal if seen.line not in (TOKEN, ME)]
