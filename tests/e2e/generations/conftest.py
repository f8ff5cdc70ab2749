"""One tenant of each generation, and one server that serves them all."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from dbplanet.sandbox.profiles import PROFILES
from e2e import processes
from e2e.tenants import Tenant
from e2e.wire import PATH, Server


@contextmanager
def _sandbox(folder: Path, profile: str) -> Iterator[str]:
    """Run a tenant of a generation; yield its origin."""
    options = ("--port", "0", "--profile", profile, "--tenant", profile, "--until-stdin-closes")
    command = [sys.executable, "-m", "dbplanet.sandbox", *options]
    process = processes.Process(command, folder / f"generation {profile}.log", {})
    try:
        announced = process.wait_for(r"on (http://[\w.:]+)\n")
        assert announced, process.output()
        yield announced[1]
    finally:
        process.stop()


@pytest.fixture(scope="session")
def generations(logs: Path) -> Iterator[dict[str, Tenant]]:
    with ExitStack() as stack:
        yield {
            name: stack.enter_context(closing(Tenant(stack.enter_context(_sandbox(logs, name)))))
            for name in PROFILES
        }


@pytest.fixture(scope="session")
def one_server(logs: Path, generations: dict[str, Tenant]) -> Iterator[Server]:
    allowed = ",".join(tenant.url for tenant in generations.values())
    settings = {"DBPLANET_ALLOWED_BASE_URLS": allowed}
    with processes.gunicorn_process(logs / "server of all generations.log", settings) as (process, origin):
        yield Server(origin + PATH, process)


@pytest.fixture
def tenant(profile: str, generations: dict[str, Tenant]) -> Tenant:
    """The tenant of the test's ``profile``, with an empty journal."""
    generations[profile].reset()
    return generations[profile]
