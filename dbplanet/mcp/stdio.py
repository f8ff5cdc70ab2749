"""The same engine on standard input and output: one JSON-RPC message a line, for one local caller.

Requests run in threads, so that pings and cancellations are heard while a tool works. Nothing but
messages may reach the output; whoever starts this keeps prints and logs off it.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, BinaryIO, Final

from dbplanet.mcp import modern
from dbplanet.mcp.call import Call
from dbplanet.mcp.context import Cancelled
from dbplanet.mcp.identity import Identity
from dbplanet.mcp.protocol import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    Message,
    MessageId,
    RpcError,
    decode,
    encode,
    failure,
    is_response,
    negotiate,
    read_message,
    readable_id,
    success,
)
from dbplanet.mcp.server import McpServer
from dbplanet.mcp.sessions import Session
from dbplanet.mcp.toolbox import log_fault

MAX_LINE: Final = 4 * 1024 * 1024  # bytes
_THREADS: Final = 16


class StdioServer:
    """Serves one client until its input ends; running calls are answered before ``serve`` returns."""

    def __init__(self, server: McpServer, identity: Identity, source: BinaryIO, sink: BinaryIO) -> None:
        self._server = server
        self._session = Session("stdio", identity, "", server.scope_of({}))
        self._source = source
        self._sink = sink
        self._writing = threading.Lock()
        self._running: dict[MessageId, threading.Event] = {}

    def serve(self) -> None:
        """Read and answer lines until the end of the input."""
        with ThreadPoolExecutor(_THREADS, thread_name_prefix="mcp-stdio") as self._pool:
            while line := self._source.readline(MAX_LINE + 1):
                if line.strip():
                    self._take(line)
        self._session.close()

    def _take(self, line: bytes) -> None:
        try:
            if len(line) > MAX_LINE:
                self._skip_rest(line)
                raise RpcError(INVALID_REQUEST, f"Invalid Request: a line has at most {MAX_LINE} bytes")
            self._receive(decode(line))
        except RpcError as error:
            self._send(failure(None, error))
        except Exception as error:
            log_fault("MCP line", error)
            self._send(failure(None, RpcError(INTERNAL_ERROR, "Internal error")))

    def _skip_rest(self, line: bytes) -> None:
        while line and not line.endswith(b"\n"):
            line = self._source.readline(MAX_LINE)

    def _receive(self, value: Any) -> None:
        if isinstance(value, dict) and is_response(value):
            return
        try:
            message = read_message(value)
        except RpcError as error:
            self._send(failure(readable_id(value), error))
            return
        if message.is_notification:
            self._note(message.method, message.params)
        elif message.method == "initialize":
            # At once: what follows on the next line may rely on it.
            self._answer(message, self._call(message))
        else:
            call = self._call(message)
            if message.id is not None and call.cancelled is not None:
                self._running[message.id] = call.cancelled
            self._pool.submit(self._answer, message, call)

    def _note(self, method: str, params: Mapping[str, Any]) -> None:
        if method == "notifications/cancelled":
            request_id = readable_id({"id": params.get("requestId")})
            event = None if request_id is None else self._running.get(request_id)
            if event is not None:
                event.set()

    def _call(self, message: Message) -> Call:
        is_modern = message.method == "server/discover" or modern.claims_modern({"params": message.params})
        session = self._session
        return Call(is_modern, session.identity, session, session.scope, self._send, threading.Event())

    def _answer(self, message: Message, call: Call) -> None:
        try:
            if call.modern:
                modern.check_envelope(message)
            answer = success(message.id, self._server.answer(message, call))
            if message.method == "initialize":
                self._session.version = negotiate(message.params["protocolVersion"])
        except RpcError as error:
            answer = encode(failure(message.id, error))
        except Cancelled:
            return
        except Exception as error:
            log_fault("MCP method", error)
            answer = encode(failure(message.id, RpcError(INTERNAL_ERROR, "Internal error")))
        finally:
            if message.id is not None:
                self._running.pop(message.id, None)
        if call.cancelled is None or not call.cancelled.is_set():
            self._write(answer)

    def _send(self, message: dict[str, Any]) -> None:
        self._write(encode(message))

    def _write(self, line: bytes) -> None:
        # A client that has gone needs no answer; the end of its input ends us.
        with self._writing, suppress(OSError, ValueError):
            self._sink.write(line + b"\n")
            self._sink.flush()
