"""MCP requests as bytes, alike for every server."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from bench import job
from bench.answers import Request, check_of

SESSION: Final = "2025-11-25"
"""The revision of the session dialect: initialize, then a session id in each request."""

MODERN: Final = "2026-07-28"
"""The dialect without sessions: version and capabilities in each request."""

FIRST_ID: Final = 1_000_000  # ids of one width, so that all requests of a caller have one length

_PARAMS: Final[Mapping[str, dict[str, Any]]] = {
    "tools/call": {"name": job.TOOL, "arguments": {}},
    "tools/list": {},
    "ping": {},
    "initialize": {
        "protocolVersion": SESSION,
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    },
}


@dataclass(frozen=True)
class Caller:
    """Who calls, and where: one user of the tenant at ``base_url``, one path of the server."""

    number: int
    port: int
    path: str
    user: str
    base_url: str

    @property
    def expected(self) -> str:
        """The text that the tool answers this user."""
        return job.text(job.profile(self.user))

    def request(self, method: str, *, session: str = "", dialect: str = SESSION) -> Request:
        """Return the request for an MCP method, in a session or in the dialect without."""
        params = dict(_PARAMS[method])
        headers = {"MCP-Protocol-Version": dialect} if method != "initialize" else {}
        if session:
            headers["Mcp-Session-Id"] = session
        if dialect == MODERN:
            headers["Mcp-Method"] = method
            if "name" in params:
                headers["Mcp-Name"] = params["name"]
            prefix = "io.modelcontextprotocol/"
            params["_meta"] = {
                f"{prefix}protocolVersion": MODERN,
                f"{prefix}clientCapabilities": {},
                f"{prefix}clientInfo": {"name": "bench", "version": "1"},
            }
        message = {"jsonrpc": "2.0", "id": FIRST_ID, "method": method, "params": params}
        before, after = self.post(message, headers).rsplit(str(FIRST_ID).encode(), 1)
        return Request(before, after, check_of(method, SESSION, self.expected))

    def initialized(self, session: str) -> bytes:
        """Return the notification that ends the handshake."""
        message = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        return self.post(message, {"Mcp-Session-Id": session, "MCP-Protocol-Version": SESSION})

    def delete(self, session: str) -> bytes:
        """Return the request that ends the session."""
        headers = {"Mcp-Session-Id": session, "MCP-Protocol-Version": SESSION}
        return self._head("DELETE", headers) + b"\r\n\r\n"

    def post(self, message: Mapping[str, Any], headers: Mapping[str, str]) -> bytes:
        """Return the POST of a message, with the caller's credentials."""
        body = json.dumps(message, separators=(",", ":")).encode()
        more = {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}
        return self._head("POST", more) + b"\r\n\r\n" + body

    def _head(self, method: str, headers: Mapping[str, str]) -> bytes:
        every = {
            "Host": f"127.0.0.1:{self.port}",
            "Accept": "application/json, text/event-stream",
            **job.credentials(self.user, self.base_url),
            **headers,
        }
        lines = [f"{method} {self.path} HTTP/1.1", *(f"{name}: {value}" for name, value in every.items())]
        return "\r\n".join(lines).encode()
