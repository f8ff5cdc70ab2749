"""What a run of callers has seen: counted only while the window is open."""

from __future__ import annotations

import time
from collections import Counter
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
    _counting: bool = False
    _seconds: list[float] = field(default_factory=list)
    _faults: Counter[str] = field(default_factory=Counter)
    _opened: float = 0.0
    _load: float = 0.0

    def done(self, caller: object, begun: float) -> None:
        """Count a unit that ended well."""
        if self._counting:
            self._seconds.append(time.perf_counter() - begun)
        else:
            self.warm.add(caller)

    def fault(self, words: str) -> None:
        """Count a unit that failed, whenever it did: a fault while warming up is one too."""
        self._faults[words] += 1

    def open(self) -> None:
        """Begin the window."""
        self._counting = True
        self._opened, self._load = time.perf_counter(), time.process_time()

    def close(self, server_seconds: float) -> Sample:
        """End the window; ``server_seconds`` is the server's processor time within it."""
        seconds, load = time.perf_counter() - self._opened, time.process_time() - self._load
        self._counting = self.running = False
        times = sorted(self._seconds)
        each = 1e6 / max(len(times), 1)
        return Sample(
            seconds,
            len(times),
            self._faults.total(),
            p50=quantile(times, 0.5) * 1e3,
            p99=quantile(times, 0.99) * 1e3,
            longest=quantile(times, 1) * 1e3,
            server_us=round(server_seconds * each, 1),
            load_us=round(load * each, 1),
            faults=tuple(words for words, _ in self._faults.most_common(3)),
        )


def quantile(ordered: list[float], share: float) -> float:
    """Return the value below which ``share`` of ordered values lie, 0 where there are none."""
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0.0
