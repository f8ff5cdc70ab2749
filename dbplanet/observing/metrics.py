"""Prometheus metrics, one picture over all worker processes. Needs the extra ``metrics``.

Several workers share a folder of memory-mapped files (PROMETHEUS_MULTIPROC_DIR, made by
``gunicorn_conf.py``), which any of them can add up. Labels hold names of ours only: servers, tools,
outcomes of a closed list.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Final

from dbplanet.egress import CATALOGUE
from dbplanet.observing.multiprocess import MULTIPROCESS

_SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60)

# Outcomes that are told apart; any other status is one of its hundred, so that no tenant makes labels.
_STATUSES: Final = frozenset({400, 401, 403, 404, 405, 409, 423, 429, 500, 502, 503, 504})
_ENDINGS: Final = ("ok", "error", "fault", "asked", "cancelled", "refused", "TIMEOUT", "NETWORK", "DECLINED")
_WORDS: Final = frozenset((*_ENDINGS, *CATALOGUE))

# Labels are of closed lists, outcomes before they are labels of the statuses and codes that come: kept, since
# prometheus_client takes longer to find a label's number than to add to it.
_KEPT: Final = 4096


def outcome_label(outcome: int | str) -> str:
    """Return the label of a call's or an answer's outcome: ok, 404, 2xx, TIMEOUT, other …"""
    text = str(outcome)
    if text in _WORDS:
        return text
    if not (text.isascii() and text.isdigit() and 100 <= int(text) < 600):
        return "other"
    return text if int(text) in _STATUSES else f"{text[0]}xx"


_Numbers = tuple[Callable[[], None], Callable[[float], None]]
"""What counts, and what takes a time in seconds."""


def _nothing() -> None:
    """Count nothing."""


class Metrics:
    """The numbers of one application; safe with many threads."""

    def __init__(self, threads: int) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self._registry = CollectorRegistry()
        counter = partial(Counter, registry=self._registry)
        histogram = partial(Histogram, registry=self._registry, buckets=_SECONDS)
        total = partial(Gauge, registry=self._registry, multiprocess_mode="livesum")
        self._calls = counter("dbplanet_tool_calls", "Tool calls", ("server", "tool", "outcome"))
        self._call_seconds = histogram("dbplanet_tool_call_seconds", "Time of calls", ("server", "tool"))
        self._upstream_seconds = histogram(
            "dbplanet_upstream_seconds", "Time of requests to upstream", ("server", "kind", "outcome")
        )
        self._tokens = counter("dbplanet_token_requests", "Requests for an access token", ("outcome",))
        self._requests = total("dbplanet_requests_in_progress", "HTTP requests, streams included")
        self._streams = total("dbplanet_streams_in_progress", "Event streams")
        self._queue = total("dbplanet_queue", "Requests that waited when the last one got its thread")
        self._waiting = 0
        self._waiting_lock = threading.Lock()
        total("dbplanet_threads", "Threads that serve requests").set(threads)
        # Workers that have sessions share their store, so the number of one is everybody's.
        self._sessions = partial(total, multiprocess_mode="livemostrecent")(
            "dbplanet_sessions", "Open MCP sessions", ("server",)
        )

        self._call = lru_cache(_KEPT)(self._numbers_of_a_call)
        self._upstream = lru_cache(_KEPT)(self._numbers_of_upstream)

    def show_load(self, requests: int, streams: int, waiting: int) -> None:
        """Add to what is in progress, and set what waits for a thread; what has not changed costs nothing."""
        if requests:
            self._requests.inc(requests)
        if streams:
            self._streams.inc(streams)
        if waiting != self._waiting:
            # Together, or a number that is no longer true would stay for as long as nothing changes.
            with self._waiting_lock:
                self._waiting = waiting
                self._queue.set(waiting)

    def count_call(self, server: str, tool: str, outcome: str, seconds: float) -> None:
        """Count one tool call."""
        count, observe = self._call(server, tool, outcome)
        count()
        observe(seconds)

    def count_upstream(self, server: str, kind: str, outcome: int | str, seconds: float) -> None:
        """Count one request to upstream."""
        count, observe = self._upstream(server, kind, outcome)
        observe(seconds)
        count()

    def _numbers_of_a_call(self, server: str, tool: str, outcome: str) -> _Numbers:
        count = self._calls.labels(server, tool, outcome_label(outcome)).inc
        return count, self._call_seconds.labels(server, tool).observe

    def _numbers_of_upstream(self, server: str, kind: str, outcome: int | str) -> _Numbers:
        label = outcome_label(outcome)
        count = self._tokens.labels(label).inc if kind == "token" else _nothing
        return count, self._upstream_seconds.labels(server, kind, label).observe

    def text(self, sessions: Callable[[], Mapping[str, float]]) -> bytes:
        """Return the exposition of all workers; ``sessions()`` maps servers to the number open now."""
        from prometheus_client import CollectorRegistry, generate_latest
        from prometheus_client.multiprocess import MultiProcessCollector

        for server, count in sessions().items():
            self._sessions.labels(server).set(count)
        if MULTIPROCESS not in os.environ:
            return generate_latest(self._registry)
        everyone = CollectorRegistry()
        MultiProcessCollector(everyone)  # type: ignore[no-untyped-call]
        return generate_latest(everyone)
