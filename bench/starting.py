"""What needs no callers: starting a server, its memory, its idle sessions; and HTML → text."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from bench.children import CHECKOUT
from bench.measures import Plan
from bench.peers import Peer, Server
from bench.processes import memory_mib
from bench.stand import Stand

IDLE_SESSIONS: Final = 1000
_CONNECTIONS: Final = 10  # over which they are opened
_SETTLE_SECONDS: Final = 0.3


@dataclass
class Start:
    """What starting a server costs: seconds to the first answer, MiB then, MiB more with idle sessions."""

    seconds: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    sessions: list[float] = field(default_factory=list)


def starts(stand: Stand, peers: Sequence[Peer], plan: Plan) -> dict[Peer, Start]:
    """Start each server anew in each round; in the last one open sessions and leave them."""
    seen: dict[Peer, Start] = {peer: Start() for peer in peers}
    for round_number in range(plan.rounds):
        for peer, start in seen.items():
            server = stand.start(peer)
            try:
                time.sleep(_SETTLE_SECONDS)
                start.seconds.append(server.cold)
                start.memory.append(memory_mib(server.child.pid))
                if round_number == plan.rounds - 1:
                    start.sessions.append(_idle(stand, server))
            finally:
                server.child.stop()
    return seen


def _idle(stand: Stand, server: Server) -> float:
    """Return the MiB of the idle sessions; a first few are opened before, for what they bring once."""
    stand.run(server, "leave open", _CONNECTIONS, sessions=100)
    before = memory_mib(server.child.pid)
    opened = stand.run(server, "leave open", _CONNECTIONS, sessions=IDLE_SESSIONS)
    if opened.errors:
        raise RuntimeError(f"sessions could not be opened: {opened.faults}")
    return memory_mib(server.child.pid) - before


def html() -> list[float]:
    """Return the processor milliseconds per MB of HTML turned into text, in each of five rounds."""
    command = [sys.executable, "-m", "bench.pages"]
    said = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    rounds: list[float] = json.loads(said.stdout)["ms"]
    return rounds
