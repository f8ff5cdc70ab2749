"""The two eras of MCP on one endpoint: from a decoded body to an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from dbplanet.mcp import modern
from dbplanet.mcp.message import Reply, Request, json_reply, refusal
from dbplanet.mcp.protocol import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    MISSING_CLIENT_CAPABILITY,
    RpcError,
    failure,
    is_response,
    read_message,
    readable_id,
    success,
)
from dbplanet.mcp.server import Call, McpServer, log_fault
from dbplanet.mcp.session_rules import SESSION_HEADER, SessionRules

# The handshake era answers every JSON-RPC error with 200: older clients end their session over a 400.
_MODERN_STATUS: Final = {METHOD_NOT_FOUND: 404, MISSING_CLIENT_CAPABILITY: 400}

# Enough for any client seen, and a bound on what one request can make a thread do.
MAX_BATCH: Final = 50


class Exchange:
    """Answers decoded bodies for one server."""

    def __init__(self, server: McpServer, sessions: SessionRules) -> None:
        self._server = server
        self._sessions = sessions

    def modern(self, value: Any, request: Request) -> Reply:
        """Answer one message of 2026-07-28; sessions do not exist there."""
        return _guarded(value, lambda: self._modern(value, request))

    def handshake(self, value: Any, request: Request) -> Reply:
        """Answer one message of the handshake era."""
        return _guarded(value, lambda: self._handshake(value, request))

    def batch(self, values: list[Any], request: Request) -> Reply:
        """Answer a batch of 2025-03-26: an array of the answers, 202 where there are none."""
        _check_batch(values)
        call = self._call(request)
        answers = [answer for value in values if (answer := self._batched(value, call)) is not None]
        return json_reply(answers) if answers else Reply(202)

    def _modern(self, value: Any, request: Request) -> Reply:
        message = read_message(value)
        if message.is_notification:
            modern.check_notification(request.headers.get("mcp-protocol-version"))
            return Reply(202)
        modern.check_request(message, request.headers.get)
        identity = self._server.identify(request.headers)
        return json_reply(success(message.id, self._server.handle(message, Call(True, identity))))

    def _handshake(self, value: Any, request: Request) -> Reply:
        if isinstance(value, dict) and is_response(value):
            return Reply(202)
        message = read_message(value)
        opening = message.method == "initialize"
        call = self._call(request, without_session=opening)
        if message.is_notification:
            return Reply(202)
        result = self._server.handle(message, call)
        headers = self._open(call, result, request) if opening else {}
        return json_reply(success(message.id, result), headers=headers)

    def _call(self, request: Request, *, without_session: bool = False) -> Call:
        identity = self._server.identify(request.headers)
        if without_session or not self._sessions.authoritative(request.multiprocess):
            return Call(False, identity)
        return Call(False, identity, self._sessions.find(request.headers.get(SESSION_HEADER), identity))

    def _open(self, call: Call, result: dict[str, Any], request: Request) -> dict[str, str]:
        if not self._sessions.authoritative(request.multiprocess):
            return {}
        session = self._sessions.open(call.identity, result["protocolVersion"])
        return {"Mcp-Session-Id": session.id}

    def _batched(self, value: Any, call: Call) -> dict[str, Any] | None:
        if isinstance(value, dict) and is_response(value):
            return None
        try:
            message = read_message(value)
            return (
                None if message.is_notification else success(message.id, self._server.handle(message, call))
            )
        except RpcError as error:
            return failure(readable_id(value), error)


def _check_batch(values: list[Any]) -> None:
    if not 0 < len(values) <= MAX_BATCH:
        raise RpcError(INVALID_REQUEST, f"Invalid Request: a batch has 1 to {MAX_BATCH} messages", status=400)
    if any(isinstance(value, dict) and value.get("method") == "initialize" for value in values):
        raise RpcError(INVALID_REQUEST, "Invalid Request: initialize comes alone", status=400)


def _guarded(value: Any, answer: Callable[[], Reply]) -> Reply:
    """Return the answer, or its error with the request's id wherever that can be read."""
    is_modern = modern.claims_modern(value)
    try:
        return answer()
    except RpcError as error:
        return refusal(error, readable_id(value), _MODERN_STATUS.get(error.code, 200) if is_modern else 200)
    except Exception as error:
        log_fault("MCP method", error)
        return refusal(RpcError(INTERNAL_ERROR, "Internal error"), readable_id(value))
