"""The event loop of the bench's own processes: uvloop where it is installed, else asyncio's."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Coroutine
from typing import Any

try:
    import uvloop
except ImportError:
    uvloop = None


def run(main: Coroutine[Any, Any, None]) -> None:
    """Run a process's main coroutine to its end."""
    if uvloop is None:
        asyncio.run(main)
    else:
        uvloop.run(main)


async def orders() -> AsyncIterator[dict[str, Any]]:
    """Yield the orders that a process is given, one JSON object a line on standard input, to its end."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    while line := await reader.readline():
        yield json.loads(line)


def reply(message: object) -> None:
    """Answer an order."""
    print(json.dumps(message), flush=True)
