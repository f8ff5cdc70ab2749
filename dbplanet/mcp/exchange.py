"""The two eras of MCP on one endpoint: from a decoded body to an answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from dbplanet.mcp import modern
from dbplanet.mcp.call import Call
from dbplanet.mcp.context import Cancelled
from dbplanet.mcp.media import EVENT_STREAM
from dbplanet.mcp.message import Reply, Request, json_reply, refusal
from dbplanet.mcp.param_headers import check_param_headers
from dbplanet.mcp.protocol import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    MISSING_CLIENT_CAPABILITY,
    Message,
    MessageId,
    RpcError,
    failure,
    is_response,
    read_message,
    readable_id,
    success,
)
from dbplanet.mcp.server import McpServer
from dbplanet.mcp.session_rules import SESSION_HEADER, SessionRules, store_is_away
from dbplanet.mcp.sessions import scope_in
from dbplanet.mcp.streaming import Streams
from dbplanet.mcp.toolbox import log_fault
from dbplanet.store.errors import StoreError

Statuses = Mapping[int, int]
_MODERN: Final[Statuses] = {METHOD_NOT_FOUND: 404, MISSING_CLIENT_CAPABILITY: 400}
# The handshake era answers every JSON-RPC error with 200: older clients end their session over a 400.
_HANDSHAKE: Final[Statuses] = {}

# Enough for any client seen, and a bound on what one request can make a thread do.
MAX_BATCH: Final = 50
# No call of a batch begins later than this; clients give up after a minute.
BATCH_SECONDS: Final = 50.0


class Exchange:
    """Answers decoded bodies for one server."""

    def __init__(self, server: McpServer, sessions: SessionRules, streams: Streams) -> None:
        self._server = server
        self._sessions = sessions
        self._streams = streams

    def modern(self, value: Any, request: Request, readable: frozenset[str]) -> Reply:
        """Answer one message of 2026-07-28; sessions do not exist there."""
        return _guarded(readable_id(value), _MODERN, lambda: self._modern(value, request, readable))

    def handshake(self, value: Any, request: Request, readable: frozenset[str]) -> Reply:
        """Answer one message of the handshake era."""
        return _guarded(readable_id(value), _HANDSHAKE, lambda: self._handshake(value, request, readable))

    def batch(self, values: list[Any], request: Request) -> Reply:
        """Answer a batch of 2025-03-26: an array of the answers, 202 where there are none."""
        _check_batch(values)
        call, end = self._call(request), time.monotonic() + BATCH_SECONDS
        answers = [answer for value in values if (answer := self._batched(value, call, end)) is not None]
        return json_reply(answers) if answers else Reply(202)

    def _modern(self, value: Any, request: Request, readable: frozenset[str]) -> Reply:
        message = read_message(value)
        if message.is_notification:
            modern.check_notification(request.headers.get("mcp-protocol-version"))
            return Reply(202)
        modern.check_request(message, request.headers.get)
        schema = self._server.schema_of(message)
        check_param_headers(schema, message.params.get("arguments"), request.headers.get)
        headers = request.headers
        call = Call(
            True,
            self._server.identify(headers),
            scope=self._server.scope_of(headers),
            request_id=request.request_id,
            token=request.token,
        )
        return self._run(message, call, request, readable)

    def _handshake(self, value: Any, request: Request, readable: frozenset[str]) -> Reply:
        if isinstance(value, dict) and is_response(value):
            return Reply(202)
        message = read_message(value)
        opening = message.method == "initialize"
        call = self._call(request, without_session=opening)
        if message.is_notification:
            return Reply(202)
        if opening:
            return self._open(message, call, request)
        return self._run(message, call, request, readable)

    def _call(self, request: Request, *, without_session: bool = False) -> Call:
        identity = self._server.identify(request.headers)
        scope = self._server.scope_of(request.headers)
        if without_session or not self._sessions.authoritative(request.multiprocess):
            return Call(False, identity, scope=scope, request_id=request.request_id, token=request.token)
        session_id = request.headers.get(SESSION_HEADER)
        session = self._sessions.find(session_id, identity)
        limits = session.scope if session else scope_in(session_id or "")
        narrowed = limits.narrowed(scope)
        return Call(False, identity, session, narrowed, request_id=request.request_id, token=request.token)

    def _open(self, message: Message, call: Call, request: Request) -> Reply:
        result = self._server.handle(message, call)
        reply = json_reply(success(message.id, result))
        if not self._sessions.authoritative(request.multiprocess):
            return reply
        session = self._sessions.open(call.identity, result["protocolVersion"], call.scope)
        if session is None:
            return reply
        return replace(reply, headers={**reply.headers, "Mcp-Session-Id": session.id})

    def _run(self, message: Message, call: Call, request: Request, readable: frozenset[str]) -> Reply:
        """Answer a request, as a stream where the caller asked for notifications and can read them."""
        if EVENT_STREAM in readable and self._server.may_emit(message, call):
            streamed = self._streams.serve(
                lambda emit: self._answer(message, replace(call, emit=emit)),
                # A half-closed connection looks gone, too: before 2026-07-28 that must end no call.
                gone=request.gone if call.modern else lambda: False,
                cancelled=call.cancelled,
                cancels=call.modern,
            )
            if streamed is not None:
                return streamed
        return self._answer(message, call)

    def _answer(self, message: Message, call: Call) -> Reply:
        statuses = _MODERN if call.modern else _HANDSHAKE
        return _guarded(
            message.id, statuses, lambda: json_reply(success(message.id, self._server.handle(message, call)))
        )

    def _batched(self, value: Any, call: Call, end: float) -> dict[str, Any] | None:
        if isinstance(value, dict) and is_response(value):
            return None
        try:
            message = read_message(value)
            if message.is_notification:
                return None
            if time.monotonic() > end:
                raise RpcError(INTERNAL_ERROR, "The batch took too long; send the rest again")
            return success(message.id, self._server.handle(message, call))
        except RpcError as error:
            return failure(readable_id(value), error)
        except Exception as error:
            log_fault("MCP method", error)
            return failure(readable_id(value), RpcError(INTERNAL_ERROR, "Internal error"))


def _check_batch(values: list[Any]) -> None:
    if not 0 < len(values) <= MAX_BATCH:
        raise RpcError(INVALID_REQUEST, f"Invalid Request: a batch has 1 to {MAX_BATCH} messages", status=400)
    if any(isinstance(value, dict) and value.get("method") == "initialize" for value in values):
        raise RpcError(INVALID_REQUEST, "Invalid Request: initialize comes alone", status=400)


def _guarded(message_id: MessageId | None, statuses: Statuses, answer: Callable[[], Reply]) -> Reply:
    """Return the answer, or its error with the request's id."""
    try:
        return answer()
    except RpcError as error:
        return refusal(error, message_id, statuses.get(error.code, 200))
    except StoreError:
        return refusal(store_is_away(), message_id)
    except Cancelled:
        # Nobody reads this: the client is gone.
        return refusal(RpcError(INTERNAL_ERROR, "Cancelled"), message_id)
    except Exception as error:
        log_fault("MCP method", error)
        return refusal(RpcError(INTERNAL_ERROR, "Internal error"), message_id)
