"""Sessions and tokens in Redis: one for all workers and hosts, readable by none but them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from e2e.official import MODES, agent_in
from e2e.tenants import ANNA, JONAS, TOKEN, Tenant
from e2e.wire import SESSION, Headers, Server, at_once, message
from e2e.workers.redis_process import RedisProcess

NAME = "Signed-in user: Anna Schmidt"
SESSIONS = 200
CALL = message("tools/call", {"name": "People_GetMe"})


def status(server: Server, headers: Headers) -> int:
    return server.post(CALL, headers).status_code


def test_two_hundred_sessions_are_served_by_every_worker_with_one_token_request_each(
    three_workers: Server, tenant: Tenant
):
    with ThreadPoolExecutor(16) as pool:
        sessions = list(pool.map(lambda _: three_workers.session(tenant.headers()), range(SESSIONS)))
        calls = [session for session in sessions for _ in range(3)]
        lines = list(
            pool.map(lambda session: three_workers.call("People_GetMe", {}, session).first_line, calls)
        )
        assert lines == [NAME] * len(calls)
        assert tenant.lines().count(TOKEN) == SESSIONS
        deleted, kept = sessions[::2], sessions[1::2]
        endings = pool.map(lambda session: three_workers.request("DELETE", session).status_code, deleted)
        assert set(endings) == {200}
        assert {*pool.map(lambda session: status(three_workers, session), [*deleted, *deleted])} == {404}
        assert {*pool.map(lambda session: status(three_workers, session), [*kept, *kept])} == {200}


def test_a_deleted_session_stays_deleted_everywhere_whatever_comes_with_it(
    three_workers: Server, another_host: Server, tenant: Tenant
):
    session = three_workers.session(tenant.headers())
    assert status(another_host, session) == 200
    assert another_host.request("DELETE", session).status_code == 200
    for server in (three_workers,) * 6 + (another_host,):
        assert status(server, {**session, **tenant.headers()}) == 404
        assert server.request("DELETE", session).status_code == 404


def test_two_hosts_share_sessions_credentials_and_tokens(
    three_workers: Server, another_host: Server, tenant: Tenant
):
    session = another_host.session(tenant.headers())
    for server in (three_workers, another_host) * 4:
        assert server.call("People_GetMe", {}, session).first_line == NAME
        assert status(server, {**session, **tenant.headers(JONAS)}) == 404
    assert tenant.lines().count(TOKEN) == 1


def test_thirty_calls_at_the_start_of_a_session_make_one_token_request(
    three_workers: Server, another_host: Server, tenant: Tenant
):
    session = three_workers.session(tenant.headers())
    tenant.fault(TOKEN, delay=0.5)
    servers = (three_workers, another_host)
    results = at_once(30, lambda number: servers[number % 2].call("People_GetMe", {}, session))
    assert {result.first_line for result in results} == {NAME}
    assert tenant.lines().count(TOKEN) == 1


@pytest.mark.parametrize("way", ["in a session", "without a session"])
def test_an_expired_token_is_renewed_once_for_all(
    three_workers: Server, another_host: Server, tenant: Tenant, way: str
):
    session: Headers = three_workers.session(tenant.headers()) if way == "in a session" else tenant.headers()
    servers = (three_workers, another_host)
    at_once(12, lambda number: servers[number % 2].call("People_GetMe", {}, session))
    tenant.expire_tokens()
    tenant.reset()
    results = at_once(30, lambda number: servers[number % 2].call("People_GetMe", {}, session))
    assert {result.first_line for result in results} == {NAME}
    assert tenant.lines().count(TOKEN) == 1


def test_a_wrong_password_is_not_tried_once_by_each_caller(
    three_workers: Server, another_host: Server, tenant: Tenant
):
    session = three_workers.session(tenant.headers(password="wrong"))
    tenant.fault(TOKEN, delay=0.5)
    results = at_once(20, lambda number: three_workers.call("People_GetMe", {}, session))
    assert all(result.first_line.startswith("[401] Authentication failed.") for result in results)
    assert tenant.lines().count(TOKEN) <= 3, "at most one for each worker"


def test_a_narrowed_scope_and_the_log_level_are_kept_for_all_workers(three_workers: Server, tenant: Tenant):
    session = three_workers.session({**tenant.headers(), "x-dbplanet-toolsets": "people"})
    level = message("logging/setLevel", {"level": "error"})
    for _ in range(6):
        assert three_workers.post(level, session).json()["result"] == {}
        tools = three_workers.post(message("tools/list"), session).json()["result"]["tools"]
        assert {tool["name"].partition("_")[0] for tool in tools} == {"People"}


@pytest.mark.parametrize("mode", MODES)
def test_the_official_client_works_with_three_workers(three_workers: Server, tenant: Tenant, mode: str):
    with agent_in(mode, three_workers.url, tenant.headers()) as agent:
        for _ in range(6):
            assert agent.call("People_GetMe").first_line == NAME


def test_nothing_in_redis_can_be_read_and_every_key_expires(
    three_workers: Server, redis_server: RedisProcess, tenant: Tenant
):
    session = three_workers.session(tenant.headers())
    three_workers.call("People_GetMe", {}, session)
    three_workers.call("People_GetMe", {}, tenant.headers())
    ended = three_workers.session(tenant.headers())
    three_workers.request("DELETE", ended)
    dump = redis_server.dump()
    assert len(dump) >= 4
    held = b"\n".join([*dump, *dump.values()])
    secrets = [ANNA.username, ANNA.password, ANNA.client_id, ANNA.client_secret]
    for secret in [*secrets, session[SESSION], ended[SESSION], tenant.url, "token", "People"]:
        assert secret.encode() not in held.replace(b"dbplanet:token", b""), secret


def test_ready_says_yes(three_workers: Server):
    status, body = three_workers.ready()
    assert (status, body["status"], body["checks"]["store"]) == (200, "ready", "ok")
