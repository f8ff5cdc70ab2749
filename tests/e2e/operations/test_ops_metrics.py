"""``/metrics`` of three workers adds up to what was done, whichever of them answers."""

from __future__ import annotations

import os
import signal
import time

import pytest

from e2e.conftest import StartServer
from e2e.operations.asking import get, samples, total, until
from e2e.tenants import TOKEN, Tenant
from e2e.wire import SESSION, Server, at_once, message

CALLS = "dbplanet_tool_calls_total"
WORKERS = 3


@pytest.fixture(scope="module")
def workers(start_server: StartServer) -> Server:
    """Three workers, each of them up: the first serves before the others have begun."""
    server = start_server("with three workers", environment={"WEB_CONCURRENCY": str(WORKERS)}, THREADS="8")
    end = time.monotonic() + 20
    while total(server, "dbplanet_threads") < WORKERS * 8 and time.monotonic() < end:
        time.sleep(0.05)
    return server


def test_the_numbers_are_those_of_the_calls_made(workers: Server, tenant: Tenant):
    headers = tenant.headers()
    wrong = tenant.headers(password="not the password")

    def call(number: int) -> None:
        workers.call("People_GetMe" if number % 2 else "Notification_GetStatus", {}, headers)
        workers.call("News_GetFeed", {}, wrong)
        workers.post(message("tools/call", {"name": f"Unknown_{number}"}), headers)

    at_once(12, call)
    assert total(workers, CALLS) == 24
    assert total(workers, CALLS, tool="People_GetMe", outcome="ok") == 6
    assert total(workers, CALLS, tool="Notification_GetStatus", outcome="ok") == 6
    assert total(workers, CALLS, tool="News_GetFeed", outcome="401") == 12
    assert total(workers, "dbplanet_tool_call_seconds_count") == 24
    journal = tenant.lines()
    assert total(workers, "dbplanet_token_requests_total") == journal.count(TOKEN)
    assert total(workers, "dbplanet_upstream_seconds_count") == len(journal)
    assert total(workers, "dbplanet_upstream_seconds_count", kind="api") == len(journal) - journal.count(
        TOKEN
    )
    assert "Unknown_" not in get(workers, "/metrics").text


def test_each_worker_shows_the_same_picture(workers: Server, tenant: Tenant):
    workers.call("People_GetMe", {}, tenant.headers())
    pictures = [samples(workers, CALLS) for _ in range(12)]
    assert pictures[0]
    assert all(picture == pictures[0] for picture in pictures)
    assert total(workers, "dbplanet_threads") == WORKERS * 8
    # The one that asks; the one before may still be closing its answer.
    assert until(lambda: total(workers, "dbplanet_requests_in_progress") == 1)


def test_what_a_dead_worker_has_counted_stays(workers: Server, tenant: Tenant):
    workers.call("People_GetMe", {}, tenant.headers())
    before = samples(workers, CALLS)
    assert until(lambda: len(workers.workers()) >= WORKERS)
    os.kill(workers.workers()[0], signal.SIGKILL)
    assert until(lambda: len(workers.workers()) > WORKERS)
    assert until(lambda: total(workers, "dbplanet_threads") == WORKERS * 8)
    assert samples(workers, CALLS) == before


def test_sessions_are_counted(server: Server, tenant: Tenant):
    before = total(server, "dbplanet_sessions", server="dbplanet")
    headers = {SESSION: server.initialize(tenant.headers()).headers[SESSION]}
    assert total(server, "dbplanet_sessions", server="dbplanet") == before + 1
    server.request("DELETE", headers)
    assert total(server, "dbplanet_sessions", server="dbplanet") == before


def test_metrics_are_for_hosts_that_are_served(server: Server):
    assert get(server, "/metrics", Host="evil.example").status_code == 421
