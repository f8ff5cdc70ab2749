"""The callers, as a process: they ask one server as fast as it answers, and check every answer.

    python -m bench.load

Takes orders as JSON lines (the fields of ``Order``) and answers each by a ``Sample``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bench import loops
from bench.connection import Connection
from bench.conversations import KINDS, Conversation, leaving_open
from bench.processes import processor_seconds
from bench.tally import Sample, Tally
from bench.wire import Caller

WARM_SECONDS: Final = 8.0
"""How long all callers have to open their sessions, and then for their first unit."""

SETTLE_SECONDS: Final = 0.2  # at most
LAST_SECONDS: Final = 10.0  # for what is under way when the window closes
TRIES: Final = 4
STRETCH: Final = 1.25


@dataclass(frozen=True)
class Order:
    """One run: ``kind`` is a name of ``KINDS``, or "leave open", which opens ``sessions`` and ends."""

    kind: str
    port: int
    path: str
    base_url: str
    pid: int
    callers: int
    users: int
    seconds: float = 1.0
    sessions: int = 0

    def conversation(self, number: int, tally: Tally) -> Callable[[], Conversation]:
        """Return what starts the conversation of the caller ``number``."""
        user = f"caller-{number % self.users:03}"
        caller = Caller(number, self.port, self.path, user, self.base_url)
        kind = leaving_open(self.sessions // self.callers) if self.kind == "leave open" else KINDS[self.kind]
        return lambda: kind(caller, tally)


async def run(order: Order) -> Sample:
    """Carry out one order."""
    tally = Tally()
    callers = [
        Connection(order.conversation(number, tally), order.port, tally) for number in range(order.callers)
    ]
    await asyncio.gather(*(caller.connect() for caller in callers))
    ended = [caller.ended for caller in callers]
    if order.kind == "leave open":
        await asyncio.wait(ended, timeout=WARM_SECONDS)
        return tally.sample(0.0)
    await _warm(tally, order)
    server_seconds = await _window(tally, order)
    await _gather(tally, order)
    await asyncio.wait(ended, timeout=LAST_SECONDS)
    for connection in callers:
        connection.finish()
    return tally.sample(server_seconds)


async def _window(tally: Tally, order: Order) -> float:
    """Open and close the window; return the server's processor time within it.

    Where the machine itself stood still, which shows in this process's own sleep, it is measured again.
    """
    for _ in range(TRIES):
        before = processor_seconds(order.pid)
        tally.open()
        await asyncio.sleep(order.seconds)
        used = processor_seconds(order.pid) - before
        if tally.age < order.seconds * STRETCH:
            break
    tally.close()
    return used


async def _warm(tally: Tally, order: Order) -> None:
    """Wait until all have opened their sessions, until each has been answered once, and a little longer."""
    await _gather(tally, order)
    await _until(lambda: len(tally.warm) == order.callers)
    await asyncio.sleep(min(SETTLE_SECONDS, order.seconds))


async def _gather(tally: Tally, order: Order) -> None:
    if order.kind != "session":
        await _until(lambda: len(tally.gathered or ()) == order.callers)
    tally.release()


async def _until(is_so: Callable[[], bool]) -> None:
    loop = asyncio.get_running_loop()
    deadline = loop.time() + WARM_SECONDS
    while not is_so() and loop.time() < deadline:
        await asyncio.sleep(0.01)


async def main() -> None:
    """Carry out orders until standard input ends."""
    async for order in loops.orders():
        loops.reply((await run(Order(**order))).as_dict())


if __name__ == "__main__":
    loops.run(main())
