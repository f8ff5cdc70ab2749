"""No server, but the bench's own ceiling: it answers right without MCP, JSON or a tenant.

python -m bench.servers.echo PORT
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from typing import Any, Final, cast

from bench import job, loops
from bench.http1 import HttpMessage, answer, take
from bench.wire import SESSION

_SESSION: Final = "Mcp-Session-Id: 0123456789abcdef\r\n"
_ID: Final = re.compile(rb'"id":(\d+)')


def result_of(message: HttpMessage) -> dict[str, Any]:
    """Return the right result of a request."""
    if b'"tools/call"' in message.body:
        user = message.header(b"x-dbplanet-username").decode()
        return {"content": [{"type": "text", "text": job.text(job.profile(user))}]}
    if b'"tools/list"' in message.body:
        return {"tools": [{"name": str(number), "description": "x" * 500} for number in range(job.TOOLS)]}
    return {} if b'"ping"' in message.body else {"protocolVersion": SESSION, "capabilities": {}}


class Connection(asyncio.Protocol):
    """A caller's connection; what it was answered once is said again under the next id."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport
        self._buffer = b""
        self._said: dict[bytes, bytes] = {}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep where to answer."""
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Answer a whole request."""
        message, self._buffer = take(self._buffer + data)
        if message is not None:
            self._transport.write(self._answer(message))

    def _answer(self, message: HttpMessage) -> bytes:
        number = _ID.search(message.body)
        if number is None:
            return answer(b"", "202 Accepted")
        kind = message.body[number.end() :]
        if kind not in self._said:
            self._said[kind] = json.dumps(result_of(message), ensure_ascii=False).encode()
        return answer(
            b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (number[1], self._said[kind]), headers=_SESSION
        )


async def main() -> None:
    """Serve until the process is ended."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Connection, "127.0.0.1", int(sys.argv[1]), backlog=2048)
    await server.serve_forever()


if __name__ == "__main__":
    loops.run(main())
