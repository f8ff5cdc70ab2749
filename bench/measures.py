"""What is measured, in rounds that alternate between the servers: a busy moment hits all alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bench.peers import PEERS, Peer
from bench.stand import Outcome, Setting, Stand


@dataclass(frozen=True)
class Plan:
    """How long and how often."""

    rounds: int = 3
    seconds: float = 1.0
    is_quick: bool = False


@dataclass(frozen=True)
class Measure:
    """One question; ``settings`` are asked in each round of each peer.

    ``against`` is what a row is compared with: "ours" in the same setting, or "first", the same server's
    first setting.
    """

    title: str
    settings: Sequence[Setting]
    unit: str = "calls/s"
    vary: str = "callers"
    """What the settings differ in."""
    against: str = "ours"
    note: str = ""
    only: Sequence[str] = ()
    """Names of peers, where it is not about all."""
    fewer_rounds: int = 0
    """How many rounds less than the others it has, where each takes long."""
    without: Sequence[str] = ()
    """Names of peers that it is not about."""

    def peers(self, given: Sequence[Peer]) -> list[Peer]:
        """Return those of ``given`` that it is about; a peer that only it names comes along."""
        if self.only and not any(peer.kind in self.only for peer in given):
            return [PEERS[name] for name in self.only]
        return [
            peer
            for peer in given
            if peer.kind not in self.without and (not self.only or peer.kind in self.only)
        ]

    def _of(self, plan: Plan) -> Sequence[Setting]:
        """Return the settings; a quick run takes the middle one where only the callers differ."""
        middle = len(self.settings) // 2
        return (
            self.settings[middle : middle + 1] if plan.is_quick and self.vary == "callers" else self.settings
        )

    def run(self, stand: Stand, peers: Sequence[Peer], plan: Plan) -> Windows:
        """Measure all rounds; what a peer does not speak is left out."""
        seen: Windows = {}
        for _ in range(max(1, plan.rounds - self.fewer_rounds)):
            for setting in self._of(plan):
                for peer in self.peers(peers):
                    if peer.sessionless or setting.kind != "call without session":
                        outcome = stand.measure(peer, setting, plan.seconds)
                        seen.setdefault((setting, peer), []).append(outcome)
        return seen


Windows = dict[tuple[Setting, Peer], list[Outcome]]


def _callers(kind: str, *counts: int, delay: float = 0.0) -> list[Setting]:
    return [Setting(str(count), kind, count, delay) for count in counts]


MEASURES: Final[Mapping[str, Measure]] = {
    "ceiling": Measure(
        "What the callers' process could ask",
        _callers("call", 16, 64, 500),
        note="A server that does nothing: where no other comes near it, the callers are not the limit.",
        only=["echo"],
    ),
    "calls": Measure("`tools/call` in a session, 0 ms tenant", _callers("call", 1, 16, 64)),
    "dialects": Measure(
        "`tools/call` in both dialects, 16 callers",
        [Setting("2025-11-25"), Setting("2026-07-28", "call without session")],
        vary="dialect",
        against="first",
    ),
    "list": Measure("`tools/list`, 28 tools", _callers("list", 16), unit="lists/s"),
    "ping": Measure("`ping`", _callers("ping", 16), unit="pings/s"),
    "sessions": Measure(
        "Sessions: initialize, initialized, DELETE", _callers("session", 16), unit="sessions/s"
    ),
    "slow": Measure(
        "`tools/call` in a session, 50 ms tenant",
        _callers("call", 64, 200, 500, delay=0.05),
        note="One round less. The Python SDK with httpx is left out: so many callers take it too long.",
        without=["sdk-httpx", "sdk-httpx2"],
        fewer_rounds=1,
    ),
    "workers": Measure(
        "Two workers against one, 64 callers, 2026-07-28",
        [Setting(str(count), "call without session", 64, workers=count, is_pinned=False) for count in (1, 2)],
        vary="workers",
        against="first",
        note="Nothing is pinned here: servers, callers and tenant share all cores.",
        only=["ours"],
    ),
}
