"""A thread waits a moment for its connection's next request, as long as nobody else needs it.

The way back to the main thread and out again (a pipe, the poller, the pool's queue, two switches between
threads) costs a fifth of a call.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import threading
from typing import Final

_POLLED: Final = select.POLLIN


class Lingering:
    """At most ``most`` threads wait, each for ``seconds``; ``release()`` ends all their waiting."""

    def __init__(self, most: int, seconds: float) -> None:
        self._most = most
        self._milliseconds = seconds * 1000
        self._lock = threading.Lock()
        self._bell, self._rope = os.pipe()
        os.set_blocking(self._bell, False)
        os.set_blocking(self._rope, False)
        self.count = 0

    def wait(self, connection: socket.socket) -> bool:
        """Return True once there is something to read, or False where this thread should go on."""
        with self._lock:
            if self.count >= self._most:
                return False
            self.count += 1
        try:
            poll = select.poll()
            poll.register(connection, _POLLED)
            poll.register(self._bell, _POLLED)
            ready = [descriptor for descriptor, _ in poll.poll(self._milliseconds)]
        except (OSError, ValueError):
            return False
        finally:
            with self._lock:
                self.count -= 1
        if self._bell in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(self._bell, 1)
        return connection.fileno() in ready

    def release(self) -> None:
        """Let the threads go that wait: somebody needs one."""
        if self.count:
            with contextlib.suppress(BlockingIOError):
                os.write(self._rope, b"\0")
