"""The servers that are measured, by name: how each is started, and what it can do."""

from __future__ import annotations

import shutil
import socket
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from bench.children import CHECKOUT, Child, free_port
from bench.http1 import take
from bench.wire import FIRST_ID, Caller

START_SECONDS: Final = 30.0
_SERVERS: Final = CHECKOUT / "bench" / "servers"


@dataclass(frozen=True)
class Surroundings:
    """What a server is told: the tenant's origin, the file with the tools, how many workers it has."""

    origin: str
    tools: str
    workers: int = 1


@dataclass(frozen=True, eq=False)
class Peer:
    """A server that can be measured; ``command`` gives its words for a port."""

    name: str
    title: str
    command: Callable[[int, Surroundings], list[str]]
    settings: Mapping[str, str] = field(default_factory=dict)
    path: str = "/mcp"
    sessionless: bool = True
    """Whether it speaks 2026-07-28."""
    checkout: Path = CHECKOUT

    @property
    def kind(self) -> str:
        """Its name without a checkout's folder."""
        return self.name.partition("@")[0]

    def why_not(self) -> str:
        """Return why it cannot be measured here, "" where it can."""
        if not self.name.startswith("ts"):
            return ""
        if not shutil.which("node"):
            return "there is no node"
        return "" if (CHECKOUT / "bench" / "node_modules").is_dir() else "there is no npm to install it"

    def start(self, cores: frozenset[int], around: Surroundings) -> Server:
        """Start it on ``cores`` and return it once it has answered ``initialize``."""
        port = free_port()
        begun = time.perf_counter()
        environment = {
            "PORT": str(port),
            "WEB_CONCURRENCY": str(around.workers),
            "DBPLANET_ALLOWED_BASE_URLS": around.origin,
            **self.settings,
        }
        child = Child(self.command(port, around), cores, environment, self.checkout)
        try:
            _wait(child, Caller(0, port, self.path, "caller-000", around.origin))
        except BaseException:
            child.stop()
            raise
        return Server(self, child, port, time.perf_counter() - begun)


@dataclass(frozen=True)
class Server:
    """A peer that runs; ``cold`` is the seconds from its start to its first answer."""

    peer: Peer
    child: Child
    port: int
    cold: float


def _wait(child: Child, caller: Caller) -> None:
    """Return once ``initialize`` is answered; raises RuntimeError or FaultyAnswerError."""
    deadline = time.monotonic() + START_SECONDS
    request = caller.request("initialize")
    while time.monotonic() < deadline:
        child.check_alive()
        try:
            with socket.create_connection(("127.0.0.1", caller.port), START_SECONDS) as connection:
                connection.sendall(request.bytes(FIRST_ID))
                buffer, answer = b"", None
                while answer is None and (data := connection.recv(65_536)):
                    answer, buffer = take(buffer + data)
        except OSError:
            time.sleep(0.004)
            continue
        if answer is not None:
            request.verify(answer, FIRST_ID)
            return
    raise RuntimeError(f"no answer in {START_SECONDS} s:\n{child.last_words()}")


def _ours(port: int, around: Surroundings) -> list[str]:
    return [sys.executable, "-m", "gunicorn", "app:app"]


def _sdk(client: str) -> Callable[[int, Surroundings], list[str]]:
    def command(port: int, around: Surroundings) -> list[str]:
        words = ["-m", "bench.servers.sdk", client, str(port), around.origin, around.tools]
        return [sys.executable, *words]

    return command


def _node(file: str) -> Callable[[int, Surroundings], list[str]]:
    return lambda port, around: ["node", str(_SERVERS / file), str(port), around.origin, around.tools]


def _echo(port: int, around: Surroundings) -> list[str]:
    return [sys.executable, "-m", "bench.servers.echo", str(port)]


# The others write no line for a call either.
_QUIET: Final = {"DBPLANET_LOG_LEVEL": "WARNING"}
_PATH: Final = "/servers/dbplanet/mcp"

PEERS: Final = {
    peer.name: peer
    for peer in (
        Peer("ours", "DB Planet MCP server", _ours, _QUIET, _PATH),
        Peer("sdk-aiohttp", "Python SDK, aiohttp", _sdk("aiohttp")),
        Peer("sdk-httpx", "Python SDK, httpx", _sdk("httpx")),
        Peer("ts1", "TypeScript SDK 1.x", _node("sdk1.mjs"), sessionless=False),
        Peer("ts2", "TypeScript SDK 2.x", _node("sdk2.mjs")),
        Peer("sdk-httpx2", "Python SDK, httpx2", _sdk("httpx2")),
        Peer("ours-info", "ours, a log line for each call", _ours, {}, _PATH),
        Peer("echo", "the bench's ceiling", _echo),
    )
}
DEFAULT: Final = ("ours", "sdk-aiohttp", "sdk-httpx", "ts1", "ts2")
QUICK: Final = ("ours", "sdk-aiohttp", "ts2")


def find(names: Sequence[str]) -> list[Peer]:
    """Return the named peers; ``ours@FOLDER`` is ours as another checkout has it. Raises KeyError."""
    found = []
    for name in names:
        kind, _, folder = name.partition("@")
        peer = PEERS[kind]
        found.append(_of(peer, Path(folder).resolve()) if folder else peer)
    return found


def _of(peer: Peer, checkout: Path) -> Peer:
    return replace(
        peer, name=f"{peer.name}@{checkout}", title=f"{peer.title} ({checkout})", checkout=checkout
    )
