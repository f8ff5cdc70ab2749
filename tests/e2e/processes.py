"""Real processes under test, each with its output in a file and always ended."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

START_SECONDS = 30.0
STOP_SECONDS = 10.0

GUNICORN = [sys.executable, "-m", "gunicorn", "-c", "python:dbplanet.gunicorn_conf"]
APPLICATION = "dbplanet.wsgi:app"

# What would change the processes under test behind a test's back.
_FOREIGN = re.compile(r"DBPLANET_.*|PORT|WEB_CONCURRENCY|GUNICORN_CMD_ARGS|FLASK_.*|.*_PROXY", re.IGNORECASE)

running: list[Process] = []
"""What runs at the moment; a failing test shows its output."""


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Return this process's environment without anything that configures the product, plus ``settings``."""
    kept = {name: value for name, value in os.environ.items() if not _FOREIGN.fullmatch(name)}
    return {**kept, "PYTHONUNBUFFERED": "1", **settings}


class Process:
    """A started command; stdout and stderr together go to ``log``."""

    def __init__(
        self, command: Sequence[str], log: Path, settings: Mapping[str, str], *, cwd: Path | None = None
    ) -> None:
        self.name = log.name
        self._log = log
        with log.open("ab") as output:
            self._popen = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                env=environment(settings),
                cwd=cwd,
            )
        running.append(self)

    def output(self) -> str:
        """Return everything said so far."""
        return self._log.read_text("utf-8", "replace")

    def wait_for(self, pattern: str) -> re.Match[str] | None:
        """Return the first match of ``pattern`` in the output, None when the process ends without it."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            ended = self._popen.poll() is not None
            if found := re.search(pattern, self.output()):
                return found
            if ended:
                return None
            time.sleep(0.02)
        raise AssertionError(f"{self.name} did not say {pattern!r} in time:\n{self.output()}")

    def terminate(self) -> None:
        """Ask the process to end, without waiting for it."""
        self._popen.terminate()

    def stop(self) -> None:
        """Terminate, wait, and kill what does not end."""
        running.remove(self)
        self.terminate()
        try:
            self._popen.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()
        if self._popen.stdin:
            self._popen.stdin.close()


def terminate_all() -> None:
    """Ask all processes to end, so that stopping them one by one waits for the slowest only."""
    for process in running:
        process.terminate()


def free_port() -> int:
    """Return a port that was free a moment ago; whoever starts a server there must expect a loss."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def sandbox_process(folder: Path, tenant: str) -> Iterator[str]:
    """Run a sandbox tenant; yield its origin. It takes its port itself, so none can be lost."""
    command = [
        sys.executable,
        "-m",
        "dbplanet.sandbox",
        "--port",
        "0",
        "--tenant",
        tenant,
        "--until-stdin-closes",
    ]
    process = Process(command, folder / f"sandbox {tenant}.log", {})
    try:
        announced = process.wait_for(r"on (http://[\w.:]+)\n")
        assert announced, process.output()
        yield announced[1]
    finally:
        process.stop()


@contextmanager
def gunicorn_process(
    log: Path,
    settings: Mapping[str, str],
    *,
    command: Sequence[str] = (*GUNICORN, APPLICATION),
    cwd: Path | None = None,
) -> Iterator[tuple[Process, str]]:
    """Run a server on a free port; yield the process and its origin, once it has said that it listens."""
    for _ in range(5):
        port = free_port()
        process = Process(command, log, {"PORT": str(port), **settings}, cwd=cwd)
        try:
            # Somebody else may answer on the port: only the server's own word counts.
            said = process.wait_for(
                rf"Listening at: http://127\.0\.0\.1:{port} |[Aa]ddress already in use|Connection in use"
            )
            if said and said[0].startswith("Listening"):
                yield process, f"http://127.0.0.1:{port}"
                return
            assert said, process.output()
        finally:
            process.stop()
        log.write_bytes(b"")
    raise AssertionError("five ports in a row were taken by others")


@contextmanager
def port_that_refuses() -> Iterator[int]:
    """Hold a port on which nobody listens, so that every connection to it is refused."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield int(held.getsockname()[1])
