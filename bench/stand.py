"""Where it is measured: one tenant, one process of callers, and each server once it is needed."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from bench import job
from bench.children import Cores, Helper
from bench.peers import Peer, Server, Surroundings
from bench.tally import Sample

_WARMING_CALLERS: Final = 8


@dataclass(frozen=True)
class Setting:
    """What is asked, by how many; ``delay`` is the tenant's, in seconds."""

    label: str
    kind: str = "call"
    callers: int = 16
    delay: float = 0.0
    workers: int = 1
    is_pinned: bool = True


@dataclass(frozen=True)
class Outcome:
    """A window, and what the tenant saw of it, and before and after: its calls, and the most at once."""

    sample: Sample
    asked: int
    peak: int


class Stand:
    """Everything that runs; servers stay until the end, so that rounds can alternate between them."""

    def __init__(self, users: int | None, warm_seconds: float) -> None:
        self._warm_seconds = warm_seconds
        self._users = users
        self._pinned = Cores.split()
        self._tenant = Helper("bench.upstream", self._pinned.rest)
        self._load = Helper("bench.load", self._pinned.rest)
        self._origin = f"http://127.0.0.1:{self._tenant.hear()['port']}"
        self._servers: dict[tuple[Peer, int, bool], Server] = {}
        with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False, encoding="utf-8") as file:
            json.dump(tools(), file)
        self._tools = file.name

    def start(self, peer: Peer, workers: int = 1, *, is_pinned: bool = True) -> Server:
        """Start a server of its own; the caller stops it."""
        cores = self._cores(is_pinned).server
        return peer.start(cores, Surroundings(self._origin, self._tools, workers))

    def measure(self, peer: Peer, setting: Setting, seconds: float) -> Outcome:
        """Measure one window on the peer's server."""
        server = self.running(peer, setting)
        rest = self._cores(setting.is_pinned).rest
        for helper in (self._tenant, self._load):
            os.sched_setaffinity(helper.pid, rest)
        self._tenant.order(delay=setting.delay)
        sample = self.run(server, setting.kind, setting.callers, seconds=seconds)
        server.child.check_alive()
        counts = self._tenant.order()
        return Outcome(sample, counts.get("calls", 0), counts.get("peak", 0))

    def run(self, server: Server, kind: str, callers: int, **more: Any) -> Sample:
        """Let callers loose on a server."""
        reply = self._load.order(
            kind=kind,
            port=server.port,
            path=server.peer.path,
            base_url=self._origin,
            pid=server.child.pid,
            callers=callers,
            users=self._users or callers,
            **more,
        )
        return Sample(**{**reply, "faults": tuple(reply["faults"])})

    def _cores(self, is_pinned: bool) -> Cores:
        return self._pinned if is_pinned else Cores.shared()

    def running(self, peer: Peer, setting: Setting) -> Server:
        """Return the server that stays for this setting; start and warm it where there is none."""
        key = (peer, setting.workers, setting.is_pinned)
        if key not in self._servers:
            server = self._servers[key] = self.start(peer, setting.workers, is_pinned=setting.is_pinned)
            self.run(server, setting.kind, _WARMING_CALLERS, seconds=self._warm_seconds)
        return self._servers[key]

    def stop(self) -> None:
        """End all that runs."""
        for child in (*(server.child for server in self._servers.values()), self._load, self._tenant):
            child.stop()
        os.unlink(self._tools)


@contextmanager
def stand(users: int | None = None, warm_seconds: float = 1.0) -> Iterator[Stand]:
    """Yield a stand and end it; each caller is a user of its own, or one of ``users``.

    A new server is warmed up for ``warm_seconds``, for the sake of compilers that compile what is used.
    """
    made = Stand(users, warm_seconds)
    try:
        yield made
    finally:
        made.stop()


def tools() -> list[dict[str, Any]]:
    """Return what our own server lists, for the others to list alike."""
    from dbplanet import create_app

    client = create_app({"ALLOWED_BASE_URLS": "http://127.0.0.1"}).test_client()
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answer = client.post("/servers/dbplanet/mcp", json=message)
    listed: list[dict[str, Any]] = answer.get_json()["result"]["tools"]
    assert len(listed) == job.TOOLS  # noqa: S101
    return listed
