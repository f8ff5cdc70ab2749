"""A caller's kept-alive connection: it holds one conversation, closed loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, cast

from bench.answers import FaultyAnswerError
from bench.conversations import GATHER, Conversation
from bench.http1 import HttpMessage, take
from bench.tally import Tally

_NOTHING: Final = HttpMessage(b"", b"")


class Connection(asyncio.Protocol):
    """One connection; ``ended`` is done when its conversation is.

    A connection that the server closes, and an answer that a conversation cannot go on after, are faults;
    ``begin`` then starts a new conversation on a new connection, as long as the run lasts.
    """

    def __init__(self, begin: Callable[[], Conversation], port: int, tally: Tally) -> None:
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._begin = begin
        self._port = port
        self._tally = tally
        self._conversation: Conversation
        self._transport: asyncio.Transport
        self._buffer = b""

    async def connect(self) -> None:
        """Connect, which starts the conversation."""
        try:
            await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", self._port)
        except OSError as error:
            self._tally.fault(f"connection: {error}")
            self.finish()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask the first."""
        self._transport = cast(asyncio.Transport, transport)
        self._buffer = b""
        self._conversation = self._begin()
        self._say(next(self._conversation))

    def data_received(self, data: bytes) -> None:
        """Ask the next once an answer is whole."""
        answer, self._buffer = take(self._buffer + data if self._buffer else data)
        if answer is not None:
            self._go_on(answer)

    def _say(self, request: bytes) -> None:
        if request != GATHER:
            self._transport.write(request)
        elif self._tally.gathered is None:
            self._go_on(_NOTHING)
        else:
            self._tally.gathered.append(lambda: self._go_on(_NOTHING))

    def _go_on(self, answer: HttpMessage) -> None:
        try:
            self._say(self._conversation.send(answer))
        except StopIteration:
            self.finish()
        except FaultyAnswerError as fault:
            self._tally.fault(str(fault))
            self._transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        """Try again while the run lasts."""
        if self.ended.done():
            return
        if not self._tally.running:
            self.finish()
            return
        self._tally.fault(f"connection closed by the server: {error}")
        asyncio.get_running_loop().call_later(0.1, lambda: asyncio.ensure_future(self.connect()))

    def finish(self) -> None:
        """End it, whatever is still open."""
        if not self.ended.done():
            self.ended.set_result(None)
        if hasattr(self, "_transport"):
            self._transport.close()
