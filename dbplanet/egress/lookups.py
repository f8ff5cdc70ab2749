"""Name look-ups that can be given up.

`getaddrinfo` knows no time limit and cannot be interrupted. A stuck look-up keeps its thread until the
system's resolver gives up, so the threads are bounded, and daemons, so that none delays the process's end.
"""

from __future__ import annotations

import queue
import socket
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError

from .process import PerProcess

#: host name -> IP addresses as text, in the order to be tried; raises OSError when there are none
Resolver = Callable[[str], Sequence[str]]
_Job = tuple["Future[Sequence[str]]", Resolver, str]

MAX_THREADS = 32


def system_resolver(host: str) -> Sequence[str]:
    """Return the addresses that the system gives for `host` (IPv6 with its zone, where it has one)."""
    infos = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return [str(info[4][0]) for info in infos]


class LookupPool:
    """At most `MAX_THREADS` daemon threads, started as they are needed."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[_Job] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._idle = threading.Semaphore(0)

    def resolve(self, resolver: Resolver, host: str, timeout: float) -> Sequence[str]:
        """Return what `resolver` says of `host`.

        Raises TimeoutError after `timeout` seconds, else what the resolver raises. A look-up that nobody
        waits for any more is not begun.
        """
        job: Future[Sequence[str]] = Future()
        self._jobs.put((job, resolver, host))
        self._ensure_thread()
        try:
            return job.result(timeout)
        # before Python 3.11 the future's TimeoutError is a class of its own
        except FutureTimeoutError:
            if job.cancel() or not job.done():
                raise TimeoutError from None
            raise

    def _ensure_thread(self) -> None:
        if self._idle.acquire(blocking=False):
            return
        with self._lock:
            if self._threads < MAX_THREADS:
                self._threads += 1
                threading.Thread(target=self._run, name="egress-lookup", daemon=True).start()

    def _run(self) -> None:
        while True:
            job, resolver, host = self._jobs.get()
            if job.set_running_or_notify_cancel():
                try:
                    job.set_result(resolver(host))
                except Exception as error:
                    job.set_exception(error)
            del job
            self._idle.release()


#: threads only, no data of any application: what two applications in one process may share
LOOKUPS = PerProcess(LookupPool)
#: for the hosts that the operator named: callers' slow name servers cannot take these threads
OPERATOR_LOOKUPS = PerProcess(LookupPool)
