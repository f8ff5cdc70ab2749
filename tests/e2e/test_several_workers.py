"""Two worker processes share no memory: no sessions, and everything is served all the same."""

from __future__ import annotations

import re

import pytest

from e2e.conftest import StartServer
from e2e.official import MODES, agent_in
from e2e.tenants import Tenant
from e2e.wire import SESSION, Server, message


@pytest.fixture(scope="module")
def workers(start_server: StartServer) -> Server:
    return start_server("with two workers", environment={"WEB_CONCURRENCY": "2"})


def test_initialize_gives_no_id(workers: Server, tenant: Tenant):
    answer = workers.initialize(tenant.headers())
    assert answer.status_code == 200
    assert SESSION not in answer.headers


def test_stale_ids_are_served_and_none_is_echoed(workers: Server, tenant: Tenant):
    headers = {SESSION: "from-before-the-restart", **tenant.headers()}
    for _ in range(10):  # both workers have their turn
        answer = workers.post(message("tools/call", {"name": "People_GetMe"}), headers)
        assert answer.json()["result"]["isError"] is False
        assert SESSION not in answer.headers


def test_without_credentials_the_tool_error_says_so_whatever_the_id(workers: Server):
    result = workers.call("People_GetMe", {}, {SESSION: "stale"})
    assert result.is_error
    assert result.first_line.startswith("[401] Missing DB Planet credentials: ")


@pytest.mark.parametrize("method", ["DELETE", "GET"])
def test_delete_and_get_are_405_and_not_allowed(workers: Server, tenant: Tenant, method: str):
    answer = workers.request(method, {SESSION: "any", **tenant.headers()})
    assert answer.status_code == 405
    assert {name.strip() for name in answer.headers["Allow"].split(",")} == {"POST", "OPTIONS"}


@pytest.mark.parametrize("mode", MODES)
def test_the_official_client_works(workers: Server, tenant: Tenant, mode: str):
    with agent_in(mode, workers.url, tenant.headers()) as agent:
        assert len(agent.tools()) == 28
        for _ in range(4):
            assert agent.call("People_GetMe").first_line == "Signed-in user: Anna Schmidt"


def test_the_log_says_so_once_for_all_workers(workers: Server, tenant: Tenant):
    for _ in range(10):
        workers.initialize(tenant.headers())
    said = re.findall(r"serving without sessions", workers.process.output())
    assert len(said) == 1
