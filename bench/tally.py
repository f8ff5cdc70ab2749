"""What a run of callers has seen: counted only while the window is open."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class Sample:
    """One window: times in milliseconds, processor times in microseconds for each unit (call or session)."""

    seconds: float
    units: int
    errors: int
    p50: float
    p99: float
    longest: float
    server_us: float
    load_us: float
    faults: tuple[str, ...] = ()

    @property
    def rate(self) -> float:
        """Units a second."""
        return self.units / self.seconds

    def as_dict(self) -> dict[str, object]:
        """Return it as JSON holds it."""
        return asdict(self)


@dataclass
class Tally:
    """The callers' common count."""

    running: bool = True
    warm: set[object] = field(default_factory=set)
    gathered: list[Callable[[], None]] | None = field(default_factory=list)
    """How those go on who wait for all to be there; None once nobody has to wait."""
    _is_open: bool = False
    _in_time: list[float] = field(default_factory=list)
    _late: list[float] = field(default_factory=list)
    _faults: Counter[str] = field(default_factory=Counter)
    _opened: float = 0.0
    _load: float = 0.0
    _seconds: float = 0.0

    def release(self) -> None:
        """Let all go on."""
        waiting, self.gathered = self.gathered or [], None
        for go_on in waiting:
            go_on()

    def done(self, caller: object, begun: float) -> None:
        """Count a unit that ended well."""
        if self._is_open:
            self._in_time.append(time.perf_counter() - begun)
        elif self.running:
            self.warm.add(caller)
        else:
            self._late.append(time.perf_counter() - begun)

    def fault(self, words: str) -> None:
        """Count a unit that failed, whenever it did: a fault while warming up is one too."""
        self._faults[words] += 1

    def open(self) -> None:
        """Begin the window, or begin it anew."""
        self._in_time.clear()
        self._is_open = True
        self._opened, self._load = time.perf_counter(), time.process_time()

    @property
    def age(self) -> float:
        """Seconds since the window was opened."""
        return time.perf_counter() - self._opened

    def close(self) -> None:
        """End the window; callers end what they have begun."""
        self._seconds, self._load = self.age, time.process_time() - self._load
        self._is_open = self.running = False
        self.gathered = []

    def sample(self, server_seconds: float) -> Sample:
        """Return what was seen; ``server_seconds`` is the server's processor time within the window.

        What was begun in it and ended after it says how long it took, but not how much is done in a second.
        """
        times = sorted(self._in_time + self._late)
        each = 1e6 / max(len(self._in_time), 1)
        return Sample(
            self._seconds,
            len(self._in_time),
            self._faults.total(),
            p50=quantile(times, 0.5) * 1e3,
            p99=quantile(times, 0.99) * 1e3,
            longest=quantile(times, 1) * 1e3,
            server_us=round(server_seconds * each, 1),
            load_us=round(self._load * each, 1),
            faults=tuple(words for words, _ in self._faults.most_common(3)),
        )


def quantile(ordered: list[float], share: float) -> float:
    """Return the value below which ``share`` of ordered values lie, 0 where there are none."""
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0.0
