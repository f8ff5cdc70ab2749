"""An MCP server: one message in, one result out, whatever the transport."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dbplanet.mcp.connections import Connections
from dbplanet.mcp.errors import ToolError
from dbplanet.mcp.identity import Identity
from dbplanet.mcp.protocol import (
    INVALID_PARAMS,
    LOG_LEVELS,
    META_SERVER_INFO,
    METHOD_NOT_FOUND,
    MODERN_VERSIONS,
    Message,
    RpcError,
    negotiate,
)
from dbplanet.mcp.sessions import Session
from dbplanet.mcp.tools import Tool, text_result

logger = logging.getLogger(__name__)

# What a client may keep, and for how long; the tool list is the same for all callers.
CACHE_HINTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "server/discover": {"ttlMs": 3_600_000, "cacheScope": "public"},
    "tools/list": {"ttlMs": 300_000, "cacheScope": "public"},
}


@dataclass(frozen=True)
class Call:
    """What surrounds one message: its era, its caller, and the session it belongs to, if any."""

    modern: bool
    identity: Identity
    session: Session | None = None


Method = Callable[[Mapping[str, Any], Call], dict[str, Any]]


_OUR_FAULT: Final = "This is a fault of the MCP server, not of the call; its log names the place."


def _explain_nothing(error: Exception) -> ToolError | None:
    return None


class McpServer:
    """A set of tools and what turns a caller into the object that their handlers get.

    identify(headers) → Identity   reads the credentials of a request; raises RpcError for unreadable ones
    connect(identity) → connection makes a handler's first argument, without I/O; it has ``close()``;
                                   raises ToolError when the credentials do not suffice
    explain(exception) → ToolError turns a handler's failure into what the model reads; None: a fault of ours
    render(value) → str            turns a handler's answer into text
    """

    def __init__(
        self,
        *,
        name: str,
        version: str,
        instructions: str,
        tools: Sequence[Tool],
        identify: Callable[[Mapping[str, str]], Identity],
        connect: Callable[[Any], Any],
        explain: Callable[[Exception], ToolError | None] = _explain_nothing,
        render: Callable[[Any], str] = str,
    ) -> None:
        self.tools = {tool.name: tool for tool in tools}
        if len(self.tools) != len(tools):
            raise ValueError("two tools share one name")
        self.identify = identify
        self._connect = connect
        self._connections = Connections(connect)
        self._explain = explain
        self._render = render
        self._info = {"name": name, "version": version}
        self._instructions = instructions
        self._definitions = [tool.definition() for tool in tools]
        self._handshake: dict[str, Method] = {
            "initialize": self._initialize,
            "ping": lambda params, call: {},
            "logging/setLevel": self._set_level,
            "tools/list": self._list_tools,
            "tools/call": self._call_tool,
        }
        self._modern: dict[str, Method] = {
            "server/discover": self._discover,
            "tools/list": self._list_tools,
            "tools/call": self._call_tool,
        }

    def handle(self, message: Message, call: Call) -> dict[str, Any]:
        """Return the result of one request; raises RpcError."""
        methods = self._modern if call.modern else self._handshake
        method = methods.get(message.method)
        if method is None:
            raise RpcError(METHOD_NOT_FOUND, "Method not found", data=message.method)
        result = method(message.params, call)
        return self._seal(message.method, result) if call.modern else result

    def _seal(self, method: str, result: dict[str, Any]) -> dict[str, Any]:
        """Add what every 2026-07-28 result carries."""
        sealed = {"resultType": "complete", **result, **CACHE_HINTS.get(method, {})}
        sealed["_meta"] = {META_SERVER_INFO: self._info}
        return sealed

    def _initialize(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        shapes = {"protocolVersion": str, "capabilities": dict, "clientInfo": dict}
        missing = [key for key, shape in shapes.items() if not isinstance(params.get(key), shape)]
        if missing:
            raise RpcError(INVALID_PARAMS, f"Invalid params: initialize needs {', '.join(missing)}")
        return {
            "protocolVersion": negotiate(params["protocolVersion"]),
            "capabilities": {"tools": {}, "logging": {}},
            "serverInfo": self._info,
            "instructions": self._instructions,
        }

    def _discover(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        return {
            "supportedVersions": list(MODERN_VERSIONS),
            "capabilities": {"tools": {}},
            "instructions": self._instructions,
        }

    def _set_level(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        if params.get("level") not in LOG_LEVELS:
            raise RpcError(INVALID_PARAMS, f"Invalid params: level must be one of {', '.join(LOG_LEVELS)}")
        if call.session is not None:
            call.session.log_level = params["level"]
        return {}

    def _list_tools(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        # All tools fit on one page, so no cursor was ever given out.
        if params.get("cursor") is not None:
            raise RpcError(INVALID_PARAMS, "Invalid params: unknown cursor")
        return {"tools": self._definitions}

    def _call_tool(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        tool, arguments = self._find_tool(params)
        try:
            return text_result(self._render(tool.run(self._connection(call), arguments)))
        except ToolError as error:
            return text_result(error.text, is_error=True)
        except Exception as error:
            return text_result(self._explained(tool, error).text, is_error=True)

    def _find_tool(self, params: Mapping[str, Any]) -> tuple[Tool, Mapping[str, Any]]:
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str):
            raise RpcError(INVALID_PARAMS, "Invalid params: name must be a string")
        if not isinstance(arguments, (dict, type(None))):
            raise RpcError(INVALID_PARAMS, "Invalid params: arguments must be an object")
        if name not in self.tools:
            raise RpcError(INVALID_PARAMS, f"Unknown tool: {name}")
        return self.tools[name], arguments or {}

    def _connection(self, call: Call) -> Any:
        if call.session is not None:
            return call.session.connection(self._connect)
        return self._connections.get(call.identity)

    def _explained(self, tool: Tool, error: Exception) -> ToolError:
        explained = self._explain(error)
        if explained is None:
            log_fault(f"tool {tool.name}", error)
        return explained or ToolError(500, "Error: 500 - Internal Server Error", _OUR_FAULT)


def log_fault(where: str, error: Exception) -> None:
    """Log a fault of ours by type and place; its words may hold what no log should."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    logger.error("%s failed: %s\n%s", where, type(error).__name__, frames)
