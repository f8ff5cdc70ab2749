"""A Redis, and servers that share it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.conftest import StartServer
from e2e.wire import Server
from e2e.workers.redis_process import RedisProcess

SECRET_KEY = "a-fake-secret-key-of-the-tests-0123456789"


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    process = RedisProcess(tmp_path_factory.mktemp("redis"))
    process.start()
    yield process
    process.kill()


def shared_settings(redis_server: RedisProcess) -> dict[str, str]:
    """Return the settings that several hosts have in common."""
    return {"SESSION_STORE": redis_server.url, "SECRET_KEY": SECRET_KEY}


@pytest.fixture(scope="session")
def three_workers(start_server: StartServer, redis_server: RedisProcess) -> Server:
    environment = {"WEB_CONCURRENCY": "3"}
    return start_server("with three workers", environment=environment, **shared_settings(redis_server))


@pytest.fixture(scope="session")
def another_host(start_server: StartServer, redis_server: RedisProcess) -> Server:
    return start_server("of another host", **shared_settings(redis_server))


def logs_of(folder: Path) -> str:
    """Return what all processes have written in a folder."""
    return "".join(log.read_text("utf-8", "replace") for log in folder.glob("*.log"))
