"""Two tenants and one server for all tests; every process is ended, and its output shown on a failure."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from e2e import processes
from e2e.recorder import Recorder, recording
from e2e.tenants import ANNA, Tenant
from e2e.wire import PATH, Server

StartServer = Callable[..., Server]

_SHOWN = 6_000
# Small enough to be exceeded in a test, large enough for every honest answer of a sandbox.
MAX_RESPONSE_BYTES = 1_000_000

# What Kubernetes injects into every pod beside a Service named dbplanet.
KUBERNETES = {
    "DBPLANET_PORT": "tcp://10.0.0.1:3000",
    "DBPLANET_PORT_3000_TCP_ADDR": "10.0.0.1",
    "DBPLANET_SERVICE_HOST": "10.0.0.1",
}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        for process in processes.running:
            report.sections.append((f"output of {process.name}", process.output()[-_SHOWN:]))
    return report


@pytest.fixture(scope="session")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("processes")


@pytest.fixture(scope="session")
def tenants(logs: Path) -> Iterator[tuple[Tenant, Tenant]]:
    with ExitStack() as stack:
        north, south = [
            stack.enter_context(closing(Tenant(stack.enter_context(processes.sandbox_process(logs, name)))))
            for name in ("Mandant Nord", "Mandant Süd")
        ]
        yield north, south


@pytest.fixture(scope="session")
def refusing_url() -> Iterator[str]:
    """The origin of an allowed tenant at which every connection is refused."""
    with processes.port_that_refuses() as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="session")
def recorder() -> Iterator[Recorder]:
    with recording() as running:
        yield running


@pytest.fixture
def tenant(tenants: tuple[Tenant, Tenant]) -> Iterator[Tenant]:
    """The first tenant; it and the other begin with an empty journal and without faults, and end so."""
    for each in tenants:
        each.reset()
    yield tenants[0]
    for each in tenants:
        each.faults()


@pytest.fixture
def other_tenant(tenant: Tenant, tenants: tuple[Tenant, Tenant]) -> Tenant:
    return tenants[1]


@pytest.fixture(scope="session")
def start_server(
    logs: Path, tenants: tuple[Tenant, Tenant], refusing_url: str, recorder: Recorder
) -> Iterator[StartServer]:
    """Return what starts a server that may serve all tenants, with further ``DBPLANET_<NAME>`` settings."""
    allowed = ",".join([*(each.url for each in tenants), refusing_url, recorder.url])
    with ExitStack() as stack:

        def start(name: str, *, environment: dict[str, str] | None = None, **settings: str) -> Server:
            given = {"ALLOWED_BASE_URLS": allowed, **settings}
            prefixed = {f"DBPLANET_{key}": value for key, value in given.items()}
            log = logs / f"server {name}.log"
            started = processes.gunicorn_process(log, {**prefixed, **(environment or {})})
            process, origin = stack.enter_context(started)
            server = Server(origin + PATH, process)
            # The first worker serves before the others have begun.
            _wait_for_workers(server, int((environment or {}).get("WEB_CONCURRENCY", 1)))
            return server

        yield start
        processes.terminate_all()


def _wait_for_workers(server: Server, number: int) -> None:
    end = time.monotonic() + 20
    while len(server.workers()) < number and time.monotonic() < end:
        time.sleep(0.05)


@pytest.fixture(scope="session")
def server(start_server: StartServer, logs: Path, refusing_url: str) -> Server:
    """The server of nearly all tests; what its environment holds besides settings must not matter."""
    netrc = logs / "netrc"
    netrc.write_text(f"machine 127.0.0.1 login {ANNA.username} password {ANNA.password}\n")
    netrc.chmod(0o600)
    besides = {"NETRC": str(netrc), "HTTP_PROXY": refusing_url, "http_proxy": refusing_url, **KUBERNETES}
    return start_server("of all tests", environment=besides, MAX_RESPONSE_BYTES=str(MAX_RESPONSE_BYTES))


@pytest.fixture(scope="session")
def impatient(start_server: StartServer) -> Server:
    """A server that tells everything and waits half a second only."""
    return start_server("at DEBUG", LOG_LEVEL="DEBUG", READ_TIMEOUT="0.5", MAX_RESPONSE_BYTES="50000")
