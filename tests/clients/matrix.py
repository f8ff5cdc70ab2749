"""Which clients run, in which modes and ways, and what they call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from clients.published import Client, InspectorClient, NodeClient, PythonClient
from dbplanet.sandbox import entity_id

MODERN: Final = "2026-07-28"
HANDSHAKE: Final = "2025-11-25"

# The ways to the server, and whom it must take the caller for: the headers name another user than the
# operator, so that the two cannot be mistaken for each other.
HEADERS, OPERATOR, STDIO = "headers", "no headers", "stdio"
USERS: Final = {HEADERS: "Mehmet Yıldız", OPERATOR: "Anna Schmidt", STDIO: "Anna Schmidt"}


@dataclass(frozen=True)
class Case:
    """One client in one of its modes, and the version that it must agree on with the server."""

    client: Client
    mode: str
    version: str
    way: str = HEADERS

    @property
    def title(self) -> str:
        """Client, mode and, if unusual, the way."""
        return " ".join((self.client.name, self.mode, *([] if self.way == HEADERS else [f"({self.way})"])))


_MCP_1_9: Final = PythonClient("mcp 1.9.4", ("mcp==1.9.4", "pydantic<2.12"), "mcp1")  # imports a removed name
_MCP_1_30: Final = PythonClient("mcp 1.30.0", ("mcp==1.30.0",), "mcp1")
_MCP_2: Final = PythonClient("mcp 2.3.0", ("mcp==2.3.0",), "mcp2")
_FASTMCP: Final = PythonClient("fastmcp 4.2.3", ("fastmcp==4.2.3",), "fastmcp")
_SDK, _CLIENT = "@modelcontextprotocol/sdk", "@modelcontextprotocol/client"
_NODE_1: Final = NodeClient("sdk 1.32.2", (f"{_SDK}@1.32.2",), _SDK)
_NODE_2: Final = NodeClient("client 2.4.0", (f"{_CLIENT}@2.4.0",), _CLIENT)
_INSPECTOR: Final = InspectorClient(
    "inspector 2.12.0", ("@modelcontextprotocol/inspector@2.12.0",), "", ends_sessions=False
)

CASES: Final = (
    Case(_MCP_1_9, "default", "2025-03-26"),
    Case(_MCP_1_30, "default", HANDSHAKE),
    Case(_MCP_2, "auto", MODERN),
    Case(_MCP_2, "legacy", HANDSHAKE),
    Case(_MCP_2, MODERN, MODERN),
    Case(_MCP_2, "auto", MODERN, OPERATOR),
    Case(_MCP_2, "legacy", HANDSHAKE, OPERATOR),
    Case(_MCP_2, "auto", MODERN, STDIO),
    Case(_MCP_2, "legacy", HANDSHAKE, STDIO),
    Case(_FASTMCP, "auto", MODERN),
    Case(_FASTMCP, "legacy", HANDSHAKE),
    Case(_NODE_1, "default", HANDSHAKE),
    Case(_NODE_2, "default", HANDSHAKE),
    Case(_NODE_2, "auto", MODERN),
    Case(_NODE_2, MODERN, MODERN),
    Case(_INSPECTOR, "auto", MODERN),
    Case(_INSPECTOR, "modern", MODERN),
    Case(_INSPECTOR, "legacy", HANDSHAKE),
)

CLIENTS: Final = (_MCP_1_9, _MCP_1_30, _MCP_2, _FASTMCP, _NODE_1, _NODE_2, _INSPECTOR)

CALLS: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "search": ("Search_FullText", {"query": "Brücke"}),
    "user": ("People_GetMe", {}),
    "content": (
        "Content_GetFull",
        {"contentId": entity_id("page/infrastruktur"), "contentType": "page"},
    ),
    "unknown": ("No_SuchTool", {}),
}
"""Label → tool and arguments; all of them with a progress token where the client can."""
