"""Redis goes away and comes back: what carries its own credentials never notices."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.conftest import StartServer
from e2e.official import agent_in
from e2e.tenants import TOKEN, Tenant
from e2e.wire import SESSION, Headers, Server, message
from e2e.workers.conftest import shared_settings
from e2e.workers.redis_process import RedisProcess

NAME = "Signed-in user: Anna Schmidt"
CALL = message("tools/call", {"name": "People_GetMe"})
SOON = 4.0  # seconds: two tries of one second and what a busy machine adds


@pytest.fixture(scope="module")
def unsteady(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    process = RedisProcess(tmp_path_factory.mktemp("unsteady redis"))
    yield process
    process.kill()


@pytest.fixture(scope="module")
def server(start_server: StartServer, unsteady: RedisProcess) -> Server:
    """A server that was started while Redis was away."""
    settings = shared_settings(unsteady)
    return start_server("without its Redis", environment={"WEB_CONCURRENCY": "2"}, **settings)


def timed(server: Server, headers: Headers, method: str = "POST") -> tuple[int, object]:
    begun = time.monotonic()
    answer = server.request(method, headers, json=CALL)
    assert time.monotonic() - begun < SOON
    return answer.status_code, answer.json() if answer.content else None


def check_what_works_without_redis(server: Server, tenant: Tenant, session: Headers) -> None:
    for _ in range(4):  # both workers have their turn
        assert server.call("People_GetMe", {}, tenant.headers()).first_line == NAME
        assert server.call("People_GetMe", {}, {**session, **tenant.headers()}).first_line == NAME
        for method in ("POST", "DELETE"):
            status, body = timed(server, session, method)
            assert (status, body["error"]["code"]) == (503, -32603)
            assert body["id"] == (1 if method == "POST" else None)
    opening = server.initialize(tenant.headers())
    assert (opening.status_code, SESSION in opening.headers) == (200, False)
    assert server.request("GET", {}).status_code == 405
    status, body = server.ready()
    assert (status, body["status"]) == (503, "not ready")
    assert body["checks"]["store"] == "SESSION_STORE cannot be reached"
    assert server.health() == 200


def wait_until_ready(server: Server) -> None:
    end = time.monotonic() + 10
    while server.ready()[0] != 200:
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_server_starts_and_serves_while_redis_is_away_and_recovers_by_itself(
    server: Server, unsteady: RedisProcess, tenant: Tenant
):
    check_what_works_without_redis(server, tenant, {SESSION: "any"})
    unsteady.start()
    wait_until_ready(server)
    time.sleep(1.1)  # for so long each worker asks nobody after a failure
    session = server.session(tenant.headers())
    assert {server.call("People_GetMe", {}, session).first_line for _ in range(6)} == {NAME}


def test_redis_is_killed_and_restarted_under_an_official_client(
    server: Server, unsteady: RedisProcess, tenant: Tenant
):
    with agent_in("legacy", server.url, tenant.headers()) as agent:
        assert agent.call("People_GetMe").first_line == NAME
        session = server.session(tenant.headers())
        unsteady.kill()
        for _ in range(6):
            assert agent.call("People_GetMe").first_line == NAME
        check_what_works_without_redis(server, tenant, session)
        unsteady.start()
        for _ in range(6):
            assert agent.call("People_GetMe").first_line == NAME
    time.sleep(1.1)
    fresh = server.session(tenant.headers())
    tenant.reset()
    assert {server.call("People_GetMe", {}, fresh).first_line for _ in range(6)} == {NAME}
    assert tenant.lines().count(TOKEN) == 1
    assert server.request("DELETE", fresh).status_code == 200


def test_a_redis_that_hangs_delays_a_call_by_seconds_only(
    server: Server, unsteady: RedisProcess, tenant: Tenant
):
    session = server.session(tenant.headers())
    os.kill(unsteady.pid, signal.SIGSTOP)
    try:
        assert timed(server, {**session, **tenant.headers()})[0] == 200
        assert timed(server, session)[0] == 503
    finally:
        os.kill(unsteady.pid, signal.SIGCONT)
    time.sleep(1.1)
    assert timed(server, session)[0] == 200


def test_the_log_says_when_redis_went_and_came_without_its_address(server: Server, unsteady: RedisProcess):
    said = server.process.output()
    assert re.search("the session store cannot be used: ConnectionError", said)
    assert "the session store can be used again" in said
    assert "Traceback" not in said
    assert not re.search(rf"(?<!\d){unsteady.port}(?!\d)", said)


def test_a_server_without_a_secret_key_does_not_start_with_redis(tmp_path: Path):
    from e2e.test_wrong_settings import start

    ended, _ = start({"DBPLANET_SESSION_STORE": "redis://:hidden@127.0.0.1:1/0"})
    assert ended.returncode != 0
    said = ended.stdout + ended.stderr
    assert len(said.splitlines()) == 1
    assert "DBPLANET_SECRET_KEY" in said
    assert "hidden" not in said
