"""An MCP server: one message in, one result out, whatever the transport."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from dbplanet.mcp.call import Call, progress_token
from dbplanet.mcp.catalog import Prompt, Resource, ResourceTemplate
from dbplanet.mcp.connections import Connections
from dbplanet.mcp.context import Context, InputRequired
from dbplanet.mcp.errors import ToolError
from dbplanet.mcp.identity import Anyone, Identity, connect_nowhere, identify_anyone
from dbplanet.mcp.library import Library, not_found
from dbplanet.mcp.observer import Observer
from dbplanet.mcp.param_headers import Mirrored
from dbplanet.mcp.protocol import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    LOG_LEVELS,
    META_SERVER_INFO,
    METHOD_NOT_FOUND,
    MODERN_VERSIONS,
    Message,
    RpcError,
    encode,
    negotiate,
)
from dbplanet.mcp.results import ToolResult
from dbplanet.mcp.scope import EVERYTHING, Scope
from dbplanet.mcp.state import RequestState, read_answers
from dbplanet.mcp.toolbox import Toolbox, as_text
from dbplanet.mcp.tools import Tool

# How long a client may keep what it was told, in milliseconds, and whether others may share it. The tool list
# depends on the caller's scope.
CACHE_HINTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "server/discover": {"ttlMs": 3_600_000, "cacheScope": "public"},
    "tools/list": {"ttlMs": 300_000, "cacheScope": "private"},
    "prompts/list": {"ttlMs": 300_000, "cacheScope": "public"},
    "resources/list": {"ttlMs": 300_000, "cacheScope": "public"},
    "resources/templates/list": {"ttlMs": 300_000, "cacheScope": "public"},
    "resources/read": {"ttlMs": 0, "cacheScope": "private"},
}

# Methods whose first page is the same for all callers of one era and one scope.
LISTS: Final = frozenset(CACHE_HINTS) - {"resources/read"}
# How many of these pages are kept in JSON. Toolsets make many scopes, of which few are in use at a time.
MAX_PAGES: Final = 64

Method = Callable[[Mapping[str, Any], Call], dict[str, Any]]


class McpServer:
    """Tools, prompts and resources, and what turns a caller into the object that their handlers get.

    identify(headers) → Identity   reads the credentials of a request; raises RpcError for unreadable ones
    restrict(headers) → Scope      reads how a request narrows what it may use; raises RpcError likewise
    connect(identity) → connection makes a handler's first argument, without I/O; it has ``close()``;
                                   raises ToolError when the credentials do not suffice
    connect_session(identity, id)  makes it for a session, where that is another matter; ``connect`` otherwise
    explain(exception) → ToolError turns a handler's failure into what the model reads; None: a fault of ours
    render(value) → str            turns a handler's answer into text; a ToolResult stays what it is
    fail(ToolError) → ToolResult   gives errors, wrong arguments included, their form
    begin(connection) → connection makes of it what one call's handler gets, such as one with a time limit

    ``scope`` is the operator's bound; ``state_key`` signs what goes back to a client between two rounds and
    must be the same in all processes. ``observer`` is told of each tool call.
    """

    def __init__(
        self,
        *,
        name: str,
        version: str,
        instructions: str,
        toolsets: Mapping[str, Sequence[Tool]],
        identify: Callable[[Mapping[str, str]], Identity] = identify_anyone,
        connect: Callable[[Any], Any] = connect_nowhere,
        connect_session: Callable[[Any, str], Any] | None = None,
        restrict: Callable[[Mapping[str, str]], Scope] = lambda headers: EVERYTHING,
        explain: Callable[[Exception], ToolError | None] = lambda error: None,
        render: Callable[[Any], str] = str,
        fail: Callable[[ToolError], ToolResult] = as_text,
        begin: Callable[[Any], Any] = lambda connection: connection,
        prompts: Sequence[Prompt] = (),
        resources: Sequence[Resource] = (),
        templates: Sequence[ResourceTemplate] = (),
        watchable: bool = False,
        scope: Scope = EVERYTHING,
        confirm_writes: bool = False,
        state_key: str | bytes | None = None,
        observer: Observer | None = None,
    ) -> None:
        self.identify = identify
        self._restrict = restrict
        self._scope = scope
        self._connect_session = connect_session or (lambda identity, session_id: connect(identity))
        self._connections = Connections(connect)
        self._begin = begin
        self._explain = explain
        self._tools = Toolbox(
            toolsets,
            explain=explain,
            render=render,
            fail=fail,
            confirm_writes=confirm_writes,
            observer=observer,
        )
        self._page = lru_cache(MAX_PAGES)(self._first_page)
        self._library = Library(prompts=prompts, resources=resources, templates=templates)
        self._state = RequestState(state_key or secrets.token_bytes(32))
        self._info = {"name": name, "version": version}
        self._instructions = instructions
        shared = self._shared_methods()
        self._modern: dict[str, Method] = {"server/discover": self._discover, **shared}
        self._endings = {method: self._ending(method) for method in self._modern}
        self._handshake: dict[str, Method] = {
            "initialize": self._initialize,
            "ping": lambda params, call: {},
            "logging/setLevel": self._set_level,
            **shared,
        }
        self._handshake_capabilities: dict[str, Any] = {"logging": {}}
        if watchable:
            self._handshake_capabilities["resources"] = {"subscribe": True}
            self._handshake["resources/subscribe"] = self._library.watch
            self._handshake["resources/unsubscribe"] = self._library.watch

    def scope_of(self, headers: Mapping[str, str]) -> Scope:
        """Return what a request may use: the operator's bound, narrowed by its headers."""
        return self._scope.narrowed(self._restrict(headers))

    def may_emit(self, message: Message, call: Call) -> bool:
        """Tell whether a request may send notifications that its caller asked for."""
        if message.method != "tools/call":
            return False
        tool, params = self._tools.get(message.params.get("name")), message.params
        return tool is not None and (
            (tool.reports and progress_token(params) is not None)
            or (tool.logs and call.log_level(params) is not None)
        )

    def mirrored(self, message: Message) -> Mirrored:
        """Return the arguments that a request must repeat in headers."""
        tool = self._tools.get(message.params.get("name")) if message.method == "tools/call" else None
        return tool.mirrored if tool is not None else ()

    def answer(self, message: Message, call: Call) -> bytes:
        """Return the result of one request as JSON; raises RpcError."""
        if message.method in LISTS and message.params.get("cursor") is None:
            return self._page(message.method, call.modern, call.scope)
        return self._written(message, call)

    def handle(self, message: Message, call: Call) -> dict[str, Any]:
        """Return the result of one request as every era has it; raises RpcError."""
        methods = self._modern if call.modern else self._handshake
        method = methods.get(message.method)
        if method is None:
            raise RpcError(METHOD_NOT_FOUND, "Method not found", data=message.method)
        return method(message.params, call)

    def _first_page(self, method: str, modern: bool, scope: Scope) -> bytes:
        return self._written(Message(method, {}, None, False), Call(modern, Anyone(), scope=scope))

    def _written(self, message: Message, call: Call) -> bytes:
        result = self.handle(message, call)
        if not call.modern:
            return encode(result)
        return encode({"resultType": "complete", **result})[:-1] + self._endings[message.method]

    def _ending(self, method: str) -> bytes:
        """Return how every 2026-07-28 result of a method ends."""
        members = {**CACHE_HINTS.get(method, {}), "_meta": {META_SERVER_INFO: self._info}}
        return b"," + encode(members)[1:]

    def _shared_methods(self) -> dict[str, Method]:
        """Return the methods of both eras; those of undeclared families are not found."""
        methods: dict[str, Method] = {"tools/list": self._tools.list, "tools/call": self._call_tool}
        self._capabilities: dict[str, Any] = {"tools": {}}
        library = self._library
        if library.has_prompts:
            self._capabilities["prompts"] = {}
            methods |= {"prompts/list": library.list_prompts, "prompts/get": self._get_prompt}
        if library.has_resources:
            self._capabilities["resources"] = {}
            methods["resources/list"] = library.list_resources
            methods["resources/templates/list"] = library.list_templates
            methods["resources/read"] = self._read_resource
        if library.has_prompts or library.has_resources:
            self._capabilities["completions"] = {}
            methods["completion/complete"] = library.complete
        return methods

    def _initialize(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        shapes = {"protocolVersion": str, "capabilities": dict, "clientInfo": dict}
        missing = [key for key, shape in shapes.items() if not isinstance(params.get(key), shape)]
        if missing:
            raise RpcError(INVALID_PARAMS, f"Invalid params: initialize needs {', '.join(missing)}")
        return {
            "protocolVersion": negotiate(params["protocolVersion"]),
            "capabilities": {**self._capabilities, **self._handshake_capabilities},
            "serverInfo": self._info,
            "instructions": self._instructions,
        }

    def _discover(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        return {
            "supportedVersions": list(MODERN_VERSIONS),
            "capabilities": {**self._capabilities, "logging": {}},
            "instructions": self._instructions,
        }

    def _set_level(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        if params.get("level") not in LOG_LEVELS:
            raise RpcError(INVALID_PARAMS, f"Invalid params: level must be one of {', '.join(LOG_LEVELS)}")
        if call.session is not None:
            call.session.set_log_level(params["level"])
        return {}

    def _call_tool(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        context = self._context("tools/call", params, call)
        try:
            return self._tools.call(params, call, self._connection, context)
        except InputRequired as asked:
            return self._ask(asked, "tools/call", params, call)

    def _get_prompt(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        context = self._context("prompts/get", params, call)
        try:
            return self._library.get_prompt(params, context)
        except InputRequired as asked:
            return self._ask(asked, "prompts/get", params, call)

    def _read_resource(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        try:
            return self._library.read_resource(params, call, lambda: self._connection(call))
        except RpcError:
            raise
        except Exception as error:
            explained = error if isinstance(error, ToolError) else self._explain(error)
            if explained is None:
                raise
            if explained.label == 404:
                raise not_found(params["uri"], explained.text, modern=call.modern) from None
            code = INVALID_PARAMS if explained.label == 400 else INTERNAL_ERROR
            raise RpcError(code, explained.text, data={"uri": params["uri"]}) from None

    def _context(self, method: str, params: Mapping[str, Any], call: Call) -> Context:
        """Return what a handler may do; a second round brings the answers and the state of the first."""
        context = call.context(params)
        if call.modern and params.get("requestState") is not None:
            context.state = self._state.open(params["requestState"], method, params, call.identity)
            context.answers = read_answers(params)
        elif call.modern:
            read_answers(params)
        return context

    def _ask(
        self, asked: InputRequired, method: str, params: Mapping[str, Any], call: Call
    ) -> dict[str, Any]:
        """Return what must be asked first."""
        state = self._state.seal(asked.state, method, params, call.identity)
        return {"resultType": "input_required", "inputRequests": asked.requests, "requestState": state}

    def _connection(self, call: Call) -> Any:
        session = call.session
        if session is not None:
            connection = session.connection(lambda identity: self._connect_session(identity, session.id))
            return self._begin(connection)
        return self._begin(self._connections.get(call.identity))
