"""The two eras of MCP on one endpoint: from a decoded body to an answer."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
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
    encode,
    failure,
    is_response,
    negotiate,
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
        try:
            return self._modern(value, request, readable)
        except Exception as error:
            return _refused(error, readable_id(value), _MODERN)

    def handshake(self, value: Any, request: Request, readable: frozenset[str]) -> Reply:
        """Answer one message of the handshake era."""
        try:
            return self._handshake(value, request, readable)
        except Exception as error:
            return _refused(error, readable_id(value), _HANDSHAKE)

    def batch(self, values: list[Any], request: Request) -> Reply:
        """Answer a batch of 2025-03-26: an array of the answers, 202 where there are none."""
        _check_batch(values)
        call, end = self._call(request), time.monotonic() + BATCH_SECONDS
        answers = [answer for value in values if (answer := self._batched(value, call, end)) is not None]
        return json_reply(b"[%b]" % b",".join(answers)) if answers else Reply(202)

    def _modern(self, value: Any, request: Request, readable: frozenset[str]) -> Reply:
        message = read_message(value)
        if message.is_notification:
            modern.check_notification(request.headers.get("mcp-protocol-version"))
            return Reply(202)
        modern.check_request(message, request.headers.get)
        mirrored = self._server.mirrored(message)
        check_param_headers(mirrored, message.params.get("arguments"), request.headers.get)
        return self._run(message, self._sessionless(request, modern=True), request, readable)

    def _handshake(self, value: Any, request: Request, readable: frozenset[str]) -> Reply:
        if isinstance(value, dict) and is_response(value):
            return Reply(202)
        message = read_message(value)
        opening = message.method == "initialize"
        call = self._sessionless(request) if opening else self._call(request)
        if message.is_notification:
            return Reply(202)
        if opening:
            return self._open(message, call, request)
        return self._run(message, call, request, readable)

    def _sessionless(self, request: Request, *, modern: bool = False) -> Call:
        identity, scope = self._server.identify(request.headers), self._server.scope_of(request.headers)
        return Call(modern, identity, None, scope, request_id=request.request_id, token=request.token)

    def _call(self, request: Request) -> Call:
        call = self._sessionless(request)
        session_id = request.headers.get(SESSION_HEADER)
        if self._sessions.authoritative(request.multiprocess) and session_id is not None:
            session = call.session = self._sessions.find(session_id, call.identity)
            limits = session.scope if session else scope_in(session_id)
            call.scope = limits.narrowed(call.scope)
        return call

    def _open(self, message: Message, call: Call, request: Request) -> Reply:
        reply = self._answer(message, call)
        if self._sessions.authoritative(request.multiprocess):
            version = negotiate(message.params["protocolVersion"])
            session = self._sessions.open(call.identity, version, call.scope)
            if session is not None:
                reply.headers["Mcp-Session-Id"] = session.id
        return reply

    def _run(self, message: Message, call: Call, request: Request, readable: frozenset[str]) -> Reply:
        """Answer a request, as a stream where the caller asked for notifications and can read them."""
        if EVENT_STREAM in readable and self._server.may_emit(message, call):
            cancelled = threading.Event()
            streamed = self._streams.serve(
                lambda emit: self._streamed(message, replace(call, emit=emit, cancelled=cancelled)),
                # A half-closed connection looks gone, too: before 2026-07-28 that must end no call.
                gone=request.gone if call.modern else lambda: False,
                cancelled=cancelled,
                cancels=call.modern,
            )
            if streamed is not None:
                return streamed
        return self._answer(message, call)

    def _streamed(self, message: Message, call: Call) -> Reply:
        try:
            return self._answer(message, call)
        except Exception as error:
            return _refused(error, message.id, _MODERN if call.modern else _HANDSHAKE)

    def _answer(self, message: Message, call: Call) -> Reply:
        return json_reply(success(message.id, self._server.answer(message, call)))

    def _batched(self, value: Any, call: Call, end: float) -> bytes | None:
        if isinstance(value, dict) and is_response(value):
            return None
        try:
            message = read_message(value)
            if message.is_notification:
                return None
            if time.monotonic() > end:
                raise RpcError(INTERNAL_ERROR, "The batch took too long; send the rest again")
            return success(message.id, self._server.answer(message, call))
        except RpcError as error:
            return encode(failure(readable_id(value), error))
        except Exception as error:
            log_fault("MCP method", error)
            return encode(failure(readable_id(value), RpcError(INTERNAL_ERROR, "Internal error")))


def _check_batch(values: list[Any]) -> None:
    if not 0 < len(values) <= MAX_BATCH:
        raise RpcError(INVALID_REQUEST, f"Invalid Request: a batch has 1 to {MAX_BATCH} messages", status=400)
    if any(isinstance(value, dict) and value.get("method") == "initialize" for value in values):
        raise RpcError(INVALID_REQUEST, "Invalid Request: initialize comes alone", status=400)


def _refused(error: Exception, message_id: MessageId | None, statuses: Statuses) -> Reply:
    """Return what went wrong as the answer to a request; ``statuses`` has the era's status of a code."""
    if isinstance(error, RpcError):
        return refusal(error, message_id, statuses.get(error.code, 200))
    if isinstance(error, StoreError):
        return refusal(store_is_away(), message_id)
    if isinstance(error, Cancelled):
        # Nobody reads this: the client is gone.
        return refusal(RpcError(INTERNAL_ERROR, "Cancelled"), message_id)
    log_fault("MCP method", error)
    return refusal(RpcError(INTERNAL_ERROR, "Internal error"), message_id)
