"""Listing and calling tools."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NoReturn

from dbplanet.mcp.call import Call, meta_of
from dbplanet.mcp.context import Cancelled, Context, InputRequired, elicitation
from dbplanet.mcp.errors import ToolError
from dbplanet.mcp.observer import ERROR, FAULT, Observation, ObservedCall, Observer
from dbplanet.mcp.protocol import INVALID_PARAMS, RpcError
from dbplanet.mcp.results import ToolResult, text
from dbplanet.mcp.tools import Tool

logger = logging.getLogger(__name__)

_OUR_FAULT: Final = "This is a fault of the MCP server, not of the call; its log names the place."
_CONFIRM: Final = "confirm"
_ASKED: Final = 500  # characters of an argument that a user is shown


def as_text(error: ToolError) -> ToolResult:
    """Return an error as one text block."""
    return ToolResult([text(error.text)], is_error=True)


class Toolbox:
    """A server's tools by toolset (area), and how their answers and failures read.

    ``explain`` turns an exception into what the model reads, or None for a fault of ours; ``render`` turns an
    answer into text, ``fail`` an error into a result. With ``confirm_writes`` a tool that changes something
    asks the user first, where the client can be asked. ``observer`` is told of each call of a known
    tool.
    """

    def __init__(
        self,
        toolsets: Mapping[str, Sequence[Tool]],
        *,
        explain: Callable[[Exception], ToolError | None],
        render: Callable[[Any], str],
        fail: Callable[[ToolError], ToolResult] = as_text,
        confirm_writes: bool = False,
        observer: Observer | None = None,
    ) -> None:
        self._tools = {tool.name: tool for tools in toolsets.values() for tool in tools}
        if len(self._tools) != sum(map(len, toolsets.values())):
            raise ValueError("two tools share one name")
        self._toolset = {tool.name: area for area, tools in toolsets.items() for tool in tools}
        self._definitions = {name: tool.definition() for name, tool in self._tools.items()}
        self._explain = explain
        self._render = render
        self._fail = fail
        self._confirm_writes = confirm_writes
        self._observer = observer

    def list(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        """Answer ``tools/list``: what the caller may use, in a fixed order, on one page."""
        # No cursor was ever given out.
        if params.get("cursor") is not None:
            raise RpcError(INVALID_PARAMS, "Invalid params: unknown cursor")
        allowed = [self._definitions[name] for name, tool in self._tools.items() if self._allows(call, tool)]
        return {"tools": allowed}

    def get(self, name: Any) -> Tool | None:
        """Return the tool called ``name``; None where there is none."""
        return self._tools.get(name) if isinstance(name, str) else None

    def call(
        self, params: Mapping[str, Any], call: Call, connect: Callable[[Call], Any], context: Context
    ) -> dict[str, Any]:
        """Answer ``tools/call``; ``connect`` gives the handler's first argument."""
        tool, arguments = self._find(params)
        with self._observed(tool, arguments, params, call) as observation:
            try:
                if not self._allows(call, tool):
                    _refuse(tool, call)
                connection = connect(call)
                if self._confirm_writes and not tool.annotations.read_only:
                    tool.arguments.read(arguments)  # nobody is asked about what cannot be done
                    _confirm(tool, arguments, context)
                result = self._result(tool.run(connection, arguments, context))
                if result["isError"]:
                    observation.outcome = ERROR
                return result
            except (RpcError, InputRequired, Cancelled):
                raise
            except Exception as error:
                explained = error if isinstance(error, ToolError) else self._explain(error)
                observation.outcome = str(explained.label) if explained else FAULT
                return self._fail(explained or _fault(tool, error)).definition()

    def _observed(
        self, tool: Tool, arguments: Mapping[str, Any], params: Mapping[str, Any], call: Call
    ) -> Observation:
        if self._observer is None:
            return Observation(None, None)
        writes = not tool.annotations.read_only
        seen = ObservedCall(
            tool.name, writes, call.caller, arguments, meta_of(params), call.request_id, call.token
        )
        return Observation(self._observer, seen)

    def _find(self, params: Mapping[str, Any]) -> tuple[Tool, Mapping[str, Any]]:
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str):
            raise RpcError(INVALID_PARAMS, "Invalid params: name must be a string")
        if not isinstance(arguments, (dict, type(None))):
            raise RpcError(INVALID_PARAMS, "Invalid params: arguments must be an object")
        if name not in self._tools:
            raise RpcError(INVALID_PARAMS, f"Unknown tool: {name}")
        return self._tools[name], arguments or {}

    def _allows(self, call: Call, tool: Tool) -> bool:
        return call.scope.allows(self._toolset[tool.name], writes=not tool.annotations.read_only)

    def _result(self, answer: Any) -> dict[str, Any]:
        if isinstance(answer, ToolResult):
            return answer.definition()
        return {"content": [text(self._render(answer))], "isError": False}


def _fault(tool: Tool, error: Exception) -> ToolError:
    log_fault(f"tool {tool.name}", error)
    return ToolError(500, "Error: 500 - Internal Server Error", _OUR_FAULT)


def _refuse(tool: Tool, call: Call) -> NoReturn:
    limit = (
        "read-only mode" if call.scope.read_only and not tool.annotations.read_only else "the toolsets chosen"
    )
    raise ToolError(403, f"{tool.name} is not available: it is outside {limit} for this caller or server.")


def _confirm(tool: Tool, arguments: Mapping[str, Any], context: Context) -> None:
    """Ask the user before a write; a client that cannot be asked has asked its user itself, or not."""
    if not context.may_ask():
        return
    shown = ", ".join(f"{name}: {_for_user(value)}" for name, value in arguments.items())
    question = f"{tool.title}? {shown}" if shown else f"{tool.title}?"
    properties = {_CONFIRM: {"type": "boolean", "title": "Do it", "description": tool.description}}
    answer = context.ask({_CONFIRM: elicitation(question, properties, [_CONFIRM])})[_CONFIRM]
    content = answer.get("content")
    agreed = isinstance(content, dict) and content.get(_CONFIRM) is True
    if answer.get("action") != "accept" or not agreed:
        raise ToolError("DECLINED", f"The user did not confirm {tool.name}; nothing was changed.")


def _for_user(value: Any) -> str:
    """Return what a user is shown of an argument; of an object only the names: headers hold secrets."""
    text = ", ".join(map(str, value)) if isinstance(value, dict) else str(value)
    line = " ".join("".join(each if each.isprintable() else " " for each in text).split())
    return line if len(line) <= _ASKED else f"{line[:_ASKED]}… ({len(text)} characters in all)"


def log_fault(where: str, error: Exception) -> None:
    """Log a fault of ours by type and place; its words may hold what no log should."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    logger.error("%s failed: %s\n%s", where, type(error).__name__, frames)
