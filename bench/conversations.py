"""What callers say, one after the other: generators that yield a request and are sent its answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from typing import Final

from bench.answers import FaultyAnswerError
from bench.http1 import HttpMessage
from bench.tally import Tally
from bench.wire import FIRST_ID, MODERN, SESSION, Caller

Conversation = Generator[bytes, HttpMessage, None]

GATHER: Final = b""
"""Yielded for a request: wait until all callers are here; what is sent for an answer then says nothing."""


def opening(caller: Caller) -> Generator[bytes, HttpMessage, str]:
    """Open a session and return its id."""
    request = caller.request("initialize")
    answer = yield request.bytes(FIRST_ID)
    request.verify(answer, FIRST_ID)
    session = answer.header(b"mcp-session-id").decode()
    answer = yield caller.initialized(session)
    if answer.status not in (200, 202) or not session:
        raise FaultyAnswerError(f"no session: {answer.status} {answer.body[:300]!r}")
    return session


def closing(caller: Caller, session: str) -> Conversation:
    """End a session."""
    answer = yield caller.delete(session)
    if answer.status not in (200, 202, 204):
        raise FaultyAnswerError(f"DELETE: {answer.status} {answer.body[:300]!r}")


def asking(method: str, dialect: str) -> Callable[[Caller, Tally], Conversation]:
    """Return the conversation that asks the same again and again, in a session if the dialect has any."""

    def conversation(caller: Caller, tally: Tally) -> Conversation:
        session = (yield from opening(caller)) if dialect == SESSION else ""
        # Sessions opened between calls would starve: a server may open one at a time.
        yield GATHER
        request = caller.request(method, session=session, dialect=dialect)
        number = FIRST_ID
        while tally.running:
            number += 1
            begun = time.perf_counter()
            answer = yield request.bytes(number)
            try:
                request.verify(answer, number)
            except FaultyAnswerError as fault:
                tally.fault(str(fault))
            else:
                tally.done(caller, begun)
        # The last calls shall not wait for sessions to end.
        yield GATHER
        if session:
            yield from closing(caller, session)

    return conversation


def renewing(caller: Caller, tally: Tally) -> Conversation:
    """Open and end sessions, without any call."""
    while tally.running:
        begun = time.perf_counter()
        session = yield from opening(caller)
        yield from closing(caller, session)
        tally.done(caller, begun)


def leaving_open(count: int) -> Callable[[Caller, Tally], Conversation]:
    """Return the conversation that opens ``count`` sessions and leaves them."""

    def conversation(caller: Caller, tally: Tally) -> Conversation:
        for _ in range(count):
            yield from opening(caller)
        tally.done(caller, time.perf_counter())

    return conversation


KINDS = {
    "call": asking("tools/call", SESSION),
    "call without session": asking("tools/call", MODERN),
    "list": asking("tools/list", SESSION),
    "ping": asking("ping", SESSION),
    "session": renewing,
}
"""What can be measured, by the name that orders give."""
