"""The bench's processes: started on their cores, always ended, the last words of a failed one shown."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

CHECKOUT: Final = Path(__file__).parents[1]
STOP_SECONDS: Final = 10.0

# What would change a server's behaviour behind the bench's back.
_FOREIGN: Final = re.compile(
    r"DBPLANET_.*|PORT|WEB_CONCURRENCY|GUNICORN_CMD_ARGS|PYTHON.*|NODE_.*|.*_PROXY", re.IGNORECASE
)


@dataclass(frozen=True)
class Cores:
    """Which cores the server has, and which the callers and the tenant; all of them where it is one."""

    server: frozenset[int]
    rest: frozenset[int]

    @classmethod
    def split(cls) -> Cores:
        """Give the server the first core and everything else the last."""
        every = sorted(os.sched_getaffinity(0))
        return cls(frozenset(every[:1]), frozenset(every[-1:]))

    @classmethod
    def shared(cls) -> Cores:
        """Pin nothing."""
        every = frozenset(os.sched_getaffinity(0))
        return cls(every, every)


@contextmanager
def _pinned(cores: frozenset[int]) -> Iterator[None]:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def free_port() -> int:
    """Return a port that was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


class Child:
    """A started command on ``cores``; what it says is kept in a file."""

    takes_orders = False

    def __init__(
        self,
        command: Sequence[str],
        cores: frozenset[int],
        environment: Mapping[str, str] | None = None,
        cwd: Path = CHECKOUT,
    ) -> None:
        kept = {name: value for name, value in os.environ.items() if not _FOREIGN.fullmatch(name)}
        self._command = " ".join(command)
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 closed by stop()
        with _pinned(cores):  # which it inherits, so that no thread of its can be elsewhere
            self._process = subprocess.Popen(
                command,
                cwd=cwd,
                env={**kept, **(environment or {})},
                stdin=subprocess.PIPE if self.takes_orders else subprocess.DEVNULL,
                stdout=subprocess.PIPE if self.takes_orders else self._log,
                stderr=self._log,
                text=True,
            )

    @property
    def pid(self) -> int:
        """The root of its processes."""
        return self._process.pid

    def check_alive(self) -> None:
        """Raise RuntimeError with its last words where it has ended."""
        if self._process.poll() is not None:
            raise RuntimeError(f"{self._command} ended:\n{self.last_words()}")

    def last_words(self) -> str:
        """Return the end of what it said."""
        self._log.seek(0)
        return self._log.read()[-3000:].decode("utf-8", "replace")

    def stop(self) -> None:
        """End it, by force where it does not end."""
        self._process.terminate()
        try:
            self._process.communicate(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
        self._log.close()


class Helper(Child):
    """A module of the bench that takes orders as JSON lines."""

    takes_orders = True

    def __init__(self, module: str, cores: frozenset[int]) -> None:
        super().__init__([sys.executable, "-m", module], cores)

    def hear(self) -> dict[str, Any]:
        """Return the next line that it says; raises RuntimeError where it has ended."""
        assert self._process.stdout is not None  # noqa: S101 it is a pipe
        line = self._process.stdout.readline()
        if not line:
            self._process.wait()
            self.check_alive()
        message: dict[str, Any] = json.loads(line)
        return message

    def order(self, **fields: Any) -> dict[str, Any]:
        """Give an order and return the reply."""
        assert self._process.stdin is not None  # noqa: S101 it is a pipe
        print(json.dumps(fields), file=self._process.stdin, flush=True)
        return self.hear()
