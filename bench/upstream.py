"""The stub of a tenant, as a process: it signs users in and answers who they are, after a delay if told so.

    python -m bench.upstream

Says ``{"port": …}``, then takes orders as JSON lines: ``{"delay": seconds}`` sets the delay of each answer
about a user and starts the counts anew; any order is answered by the counts until then.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import cast
from urllib.parse import parse_qs

from bench import job, loops
from bench.http1 import HttpMessage, answer, take


class Tenant:
    """Whom it has signed in, how long it takes to answer, and what it has been asked."""

    def __init__(self) -> None:
        self.delay = 0.0
        self.in_flight = 0
        self.counts: Counter[str] = Counter()
        self._known: dict[bytes, bytes] = {}

    def sign_in(self, form: bytes) -> bytes:
        """Answer a request for a token; the same user gets the same one again."""
        self.counts["tokens"] += 1
        user = parse_qs(form.decode())["username"][0]
        token = f"token-of-{user}"
        self._known[token.encode()] = answer(job.body(user))
        return answer(
            json.dumps({"access_token": token, "token_type": "Bearer", "expires_in": 3600}).encode()
        )

    def me(self, message: HttpMessage) -> bytes:
        """Answer who the bearer of a token is."""
        self.counts["calls"] += 1
        scheme, _, token = message.header(b"authorization").partition(b" ")
        known = self._known.get(token) if scheme.lower() == b"bearer" else None
        return known or answer(b'{"error":"unauthorized"}', "401 Unauthorized")

    def arrive(self) -> None:
        """Count a call that waits for its answer."""
        self.in_flight += 1
        self.counts["peak"] = max(self.counts["peak"], self.in_flight)

    def reset(self, delay: float | None) -> dict[str, int]:
        """Return the counts, start them anew, and set the delay unless it is None."""
        counts, self.counts = self.counts, Counter()
        if delay is not None:
            self.delay = delay
        return dict(counts)


class Connection(asyncio.Protocol):
    """One kept-alive connection of a server under test."""

    def __init__(self, tenant: Tenant) -> None:
        self._tenant = tenant
        self._buffer = b""
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep where to answer."""
        self._transport = cast(asyncio.Transport, transport)
        self._tenant.counts["connections"] += 1

    def data_received(self, data: bytes) -> None:
        """Answer each whole request."""
        message, self._buffer = take(self._buffer + data)
        if message is None:
            return
        if message.head.startswith(b"POST " + job.TOKEN_PATH.encode()):
            self._transport.write(self._tenant.sign_in(message.body))
        elif message.head.startswith(b"GET " + job.ME_PATH.encode()):
            self._answer_me(message)
        else:
            self._transport.write(answer(b'{"error":"not found"}', "404 Not Found"))

    def _answer_me(self, message: HttpMessage) -> None:
        self._tenant.arrive()
        if self._tenant.delay:
            asyncio.get_running_loop().call_later(self._tenant.delay, self._leave, message)
        else:
            self._leave(message)

    def _leave(self, message: HttpMessage) -> None:
        self._tenant.in_flight -= 1
        self._transport.write(self._tenant.me(message))


async def main() -> None:
    """Serve until standard input ends."""
    tenant = Tenant()
    server = await asyncio.get_running_loop().create_server(
        lambda: Connection(tenant), "127.0.0.1", 0, backlog=2048
    )
    loops.reply({"port": server.sockets[0].getsockname()[1]})
    async for order in loops.orders():
        loops.reply(tenant.reset(order.get("delay")))


if __name__ == "__main__":
    loops.run(main())
