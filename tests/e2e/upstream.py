"""One tool call seen from the tenant's side."""

from __future__ import annotations

from dbplanet.tools import ALL_TOOLS
from e2e.tenants import ME, TOKEN, Seen, Tenant
from e2e.wire import Server

TOOL_NAMES = [tool.name for tool in ALL_TOOLS]


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
