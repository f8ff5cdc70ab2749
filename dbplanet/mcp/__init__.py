"""The MCP engine: protocol, tools as values, sessions, transports. It knows no Haiilo.

What a Flask application needs to speak MCP is here; the rest is inside.
"""

from dbplanet.mcp.arguments import Integer, Object, Text
from dbplanet.mcp.blueprint import mcp_blueprint
from dbplanet.mcp.catalog import Prompt, PromptArgument, Resource, ResourceTemplate
from dbplanet.mcp.context import Context, elicitation
from dbplanet.mcp.errors import ToolError
from dbplanet.mcp.http import Endpoint
from dbplanet.mcp.observer import ObservedCall, Observer
from dbplanet.mcp.policy import HostPolicy
from dbplanet.mcp.results import ToolResult
from dbplanet.mcp.server import McpServer
from dbplanet.mcp.tools import ADD, READ, SET, TOGGLE, Tool, tool

__all__ = [
    "ADD",
    "READ",
    "SET",
    "TOGGLE",
    "Context",
    "Endpoint",
    "HostPolicy",
    "Integer",
    "McpServer",
    "Object",
    "ObservedCall",
    "Observer",
    "Prompt",
    "PromptArgument",
    "Resource",
    "ResourceTemplate",
    "Text",
    "Tool",
    "ToolError",
    "ToolResult",
    "elicitation",
    "mcp_blueprint",
    "tool",
]
