"""Stopping lets running calls finish; a worker that is killed takes its own calls along and no others."""

from __future__ import annotations

import json
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import requests

from dbplanet.sandbox import entity_id
from e2e.conftest import StartServer
from e2e.tenants import Tenant
from e2e.wire import Server, message
from e2e.workers.conftest import shared_settings
from e2e.workers.redis_process import RedisProcess

NAME = "Signed-in user: Anna Schmidt"
PAGES = "GET /api/pages"


def wait_for_workers(server: Server, count: int) -> None:
    """Wait until so many have been started; one serves before the last is there."""
    end = time.monotonic() + 20
    while len(server.workers()) < count:
        assert time.monotonic() < end, "a worker is missing"
        time.sleep(0.05)


def test_calls_that_run_at_sigterm_are_all_answered_and_streams_end_properly(
    start_server: StartServer, tenant: Tenant
):
    server = start_server("that is stopped", environment={"WEB_CONCURRENCY": "2"})
    server.call("People_GetMe", {}, tenant.headers())
    tenant.fault(PAGES, delay=1.5)
    with ThreadPoolExecutor(60) as pool:
        calls = [pool.submit(server.call, "Page_List", {}, tenant.headers()) for _ in range(50)]
        streams = [pool.submit(stream, server, tenant) for _ in range(5)]
        time.sleep(1)
        assert not any(call.done() for call in [*calls, *streams])
        server.process.terminate()
        results = [call.result() for call in calls]
        answers = [each.result() for each in streams]
    assert not any(result.is_error for result in results)
    assert all("Fahrplan" in answer for answer in answers)
    assert server.process.wait_for("Shutting down: Master")


def stream(server: Server, tenant: Tenant) -> str:
    """Ask for a page with progress; return the text of the last event of a complete stream."""
    arguments = {"contentId": entity_id("page/startseite"), "contentType": "page"}
    params = {"name": "Content_GetFull", "arguments": arguments, "_meta": {"progressToken": 1}}
    headers = {**tenant.headers(), "Accept": "application/json, text/event-stream"}
    answer = server.post(message("tools/call", params), headers)
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    last = [line for line in answer.text.splitlines() if line.startswith("data:")][-1]
    return str(json.loads(last.removeprefix("data:"))["result"]["content"][0]["text"])


def test_a_killed_worker_costs_its_own_calls_only_and_is_replaced(
    start_server: StartServer, redis_server: RedisProcess, tenant: Tenant
):
    settings = shared_settings(redis_server)
    server = start_server("whose worker dies", environment={"WEB_CONCURRENCY": "3"}, **settings)
    session = server.session(tenant.headers())
    assert {server.call("People_GetMe", {}, session).first_line for _ in range(9)} == {NAME}
    wait_for_workers(server, 3)
    first = server.workers()
    tenant.fault(PAGES, delay=1.5)

    def call(number: int) -> bool:
        try:
            return not server.call("Page_List", {}, session).is_error
        except requests.RequestException:
            return False

    with ThreadPoolExecutor(60) as pool:
        before = [pool.submit(call, number) for number in range(60)]
        time.sleep(0.8)
        os.kill(first[0], signal.SIGKILL)
        after = [pool.submit(server.call, "People_GetMe", {}, session) for _ in range(30)]
        survived = [each.result() for each in before]
        later = {each.result().first_line for each in after}
    assert later == {NAME}, "the other workers go on"
    assert 0 < survived.count(False) < 60, "its own calls end, those of the others do not"
    wait_for_workers(server, 4)
    assert {server.call("People_GetMe", {}, session).first_line for _ in range(9)} == {NAME}
