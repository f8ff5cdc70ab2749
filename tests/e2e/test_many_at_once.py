"""Streams and slow calls by the dozen: there is always a thread for whoever comes next."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import requests

from dbplanet.factory import STREAM_SHARE
from dbplanet.sandbox import entity_id
from dbplanet.settings import Settings
from e2e.conftest import StartServer
from e2e.tenants import Tenant
from e2e.wire import PATH, Server, message

MANY = 64
PAGE = entity_id("page/startseite")
FAST = "People_GetMe"


def stream(server: Server, tenant: Tenant, number: int) -> str:
    """Ask for a slow text with progress; return the content type of the answer."""
    arguments = {"contentId": PAGE, "contentType": "page"}
    meta = {"progressToken": number}
    body = message("tools/call", {"name": "Content_GetFull", "arguments": arguments, "_meta": meta}, number)
    headers = {**tenant.headers(), "Accept": "application/json, text/event-stream"}
    answer = server.post(body, headers)
    assert answer.status_code == 200, answer.text
    assert "Fahrplan" in answer.text
    return answer.headers["Content-Type"].partition(";")[0]


def test_streams_and_slow_calls_leave_a_thread_for_health_and_a_fast_call(
    start_server: StartServer, tenant: Tenant, other_tenant: Tenant
):
    server = start_server("of many calls")
    server.call(FAST, {}, other_tenant.headers())
    tenant.fault("^GET /api/pages", delay=2.5)
    with ThreadPoolExecutor(2 * MANY) as pool:
        streams = [pool.submit(stream, server, tenant, number) for number in range(MANY)]
        calls = [pool.submit(server.call, "Page_List", {}, tenant.headers()) for _ in range(MANY)]
        time.sleep(0.5)
        health = server.request("GET", {}).status_code, health_of(server)
        fast = server.call(FAST, {}, other_tenant.headers())
        # Had they waited for a thread, a slow call would have ended first to give it to them.
        overtaken = not any(call.done() for call in [*calls, *streams])
        kinds = [each.result() for each in streams]
        results = [each.result() for each in calls]
    assert health == (405, 200)
    assert not fast.is_error
    assert overtaken
    assert not any(result.is_error for result in results)
    assert kinds.count("text/event-stream") == server_streams()
    assert kinds.count("application/json") == MANY - server_streams()


def health_of(server: Server) -> int:
    with requests.Session() as session:
        session.trust_env = False
        return session.get(server.url.replace(PATH, "/health"), timeout=5).status_code


def server_streams() -> int:
    """The most streams that a server serves at once by default; over it a call is answered in JSON."""
    return Settings().threads // STREAM_SHARE


def memory_of(server: Server) -> int:
    """Return the resident memory of a server's worker in kB."""
    status = Path(f"/proc/{server.workers()[-1]}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def test_a_thousand_gets_are_refused_at_once_and_keep_nothing(server: Server):
    with requests.Session() as session:
        session.trust_env = False
        for _ in range(100):
            session.get(server.url, timeout=5)
        before, begun = memory_of(server), time.monotonic()
        statuses = {session.get(server.url, timeout=5).status_code for _ in range(1000)}
        seconds = time.monotonic() - begun
    assert statuses == {405}
    assert seconds < 50, "each within 50 ms"
    assert memory_of(server) - before < 2_000
