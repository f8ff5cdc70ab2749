"""A tenant that hangs, fails or asks to wait: told as it is, and nobody else notices."""

from __future__ import annotations

import re
import statistics
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from dbplanet.sandbox import entity_id
from e2e.conftest import StartServer
from e2e.tenants import ME, TOKEN, Tenant
from e2e.wire import Result, Server

NAME = "Signed-in user: Anna Schmidt"
FEED = "GET /web/blog/newsfeed"
UNAVAILABLE = "[503] Error: 503 - Service Unavailable"


@pytest.fixture(scope="module")
def server(start_server: StartServer) -> Server:
    return start_server("of bad tenants", READ_TIMEOUT="3", RETRY_AFTER_CAP="2")


def feed(server: Server, tenant: Tenant) -> Result:
    return server.call("News_GetFeed", {}, tenant.headers())


def close_circuit(server: Server, tenant: Tenant) -> None:
    """Wait until the tenant is asked again; what it answers then closes its circuit."""
    tenant.faults()
    end = time.monotonic() + 15
    while server.call("People_GetMe", {}, tenant.headers()).is_error:
        assert time.monotonic() < end
        time.sleep(0.2)


@pytest.mark.parametrize(
    "fault", [{"status": 502}, {"status": 503}, {"status": 429}, {"drop": True}], ids=str
)
def test_a_read_survives_a_bad_moment(server: Server, tenant: Tenant, fault: dict[str, object]):
    feed(server, tenant)
    tenant.reset()
    tenant.fault(FEED, times=2, **fault)
    assert not feed(server, tenant).is_error
    assert tenant.lines().count(FEED) in (3, 4), "a kept connection that drops is no try of its own"


@pytest.mark.parametrize(
    ("asked", "tries", "told"),
    [
        ("1", 3, "wait 1 seconds"),
        ("0", 3, "wait 1 seconds"),
        ("-1", 3, None),
        ("999999", 1, "wait 999999 seconds"),
        ("Wed, 21 Oct 2020 07:28:00 GMT", 3, "wait 1 seconds"),
        ("Wed, 21 Oct 2099 07:28:00 GMT", 1, r"wait \d{10} seconds"),
        ("soon", 3, None),
    ],
)
def test_retry_after_is_honoured_up_to_the_cap_and_told(
    server: Server, tenant: Tenant, asked: str, tries: int, told: str | None
):
    server.call("People_GetMe", {}, tenant.headers())
    tenant.reset()
    tenant.fault(FEED, status=429, headers={"Retry-After": asked})
    begun = time.monotonic()
    result = feed(server, tenant)
    assert time.monotonic() - begun < 4
    assert result.first_line == "[429] Error: 429 - Too Many Requests"
    assert re.search(told, result.text) if told else "asks to wait" not in result.text
    assert tenant.lines().count(FEED) == tries


@pytest.mark.parametrize(
    "fault", [{"status": 503}, {"status": 429, "headers": {"Retry-After": "1"}}], ids=str
)
def test_a_write_is_never_sent_again(server: Server, tenant: Tenant, fault: dict[str, object]):
    tenant.fault("POST /api/comments", **fault)
    arguments = {"targetId": entity_id("timeline-item/fundsache"), "body": "Nur einmal"}
    assert server.call("Social_PostComment", arguments, tenant.headers()).is_error
    assert tenant.lines().count("POST /api/comments") == 1


def test_ten_failures_open_the_circuit_for_this_tenant_alone_and_a_probe_closes_it(
    server: Server, tenant: Tenant, other_tenant: Tenant
):
    server.call("People_GetMe", {}, tenant.headers())
    tenant.fault(status=500)
    for _ in range(10):
        assert feed(server, tenant).first_line == "[500] Error: 500 - Internal Server Error"
    tenant.reset()
    begun = time.monotonic()
    result = feed(server, tenant)
    assert time.monotonic() - begun < 0.5
    assert result.first_line == UNAVAILABLE
    assert re.search(r"in ([1-9]|10) seconds", result.text)
    assert tenant.lines() == [], "the tenant is left alone"
    assert server.call("People_GetMe", {}, other_tenant.headers()).first_line == NAME
    close_circuit(server, tenant)
    assert not feed(server, tenant).is_error


def test_sixty_four_callers_at_once_on_one_tenant_are_all_served(server: Server, tenant: Tenant):
    tenant.fault("GET /api/users/me", delay=0.5)
    with ThreadPoolExecutor(64) as pool:
        calls = [pool.submit(server.call, "People_GetMe", {}, tenant.headers()) for _ in range(64)]
        assert {call.result().first_line for call in calls} == {NAME}
    assert tenant.lines().count(ME) == 64
    assert tenant.lines().count(TOKEN) <= 1


def test_a_hung_tenant_costs_other_tenants_nothing(server: Server, tenant: Tenant, other_tenant: Tenant):
    headers = other_tenant.headers()

    def latency() -> float:
        begun = time.perf_counter()
        assert server.call("People_GetMe", {}, headers).first_line == NAME
        return time.perf_counter() - begun

    server.call("People_GetMe", {}, tenant.headers())
    for _ in range(20):
        latency()
    before = [latency() for _ in range(60)]
    tenant.fault(FEED, delay=5)
    with ThreadPoolExecutor(80) as pool:
        hung = [pool.submit(feed, server, tenant) for _ in range(80)]
        time.sleep(0.7)
        during = [latency() for _ in range(60)]
        assert not any(call.done() for call in hung), "they hung until now"
        first_lines = {call.result().first_line for call in hung}
    # The first ten open the circuit, which ends the waiting of those whose turn has not come.
    assert first_lines == {"[TIMEOUT] Request timed out.", UNAVAILABLE}
    assert statistics.median(during) / statistics.median(before) <= 1.5
