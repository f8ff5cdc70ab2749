"""The client's token, time limits and the guard behind it."""

import threading
import time

import pytest

from dbplanet.haiilo.credentials import Credentials
from dbplanet.haiilo.errors import UpstreamTimeoutError
from dbplanet.servers import connector
from dbplanet.settings import Settings
from support.mcp import call_tool, make_app, text_of
from support.tenant import BASE_URL, HEADERS, StubTenant

ADA = Credentials("ada", "not-a-real-password", "client", "not-a-real-secret", BASE_URL)


def connect(**settings):
    return connector(Settings.load({"ALLOWED_BASE_URLS": BASE_URL, **settings}))(ADA)


def test_twenty_threads_on_an_expired_token_renew_it_once():
    results, barrier = [], threading.Barrier(20)
    with StubTenant() as tenant:
        client = connect()
        client.request("GET", "/api/pages")
        tenant.answer = lambda method, path, asked: (
            (401, "{}") if asked.headers["Authorization"] == "Bearer token-1" else (200, '{"ok": true}')
        )

        def call():
            barrier.wait()
            results.append(client.request("GET", "/api/pages"))

        threads = [threading.Thread(target=call) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == [{"ok": True}] * 20
    assert tenant.tokens == 2


def test_a_call_whose_time_is_up_sends_nothing():
    with StubTenant() as tenant, pytest.raises(UpstreamTimeoutError):
        connect().until(time.monotonic() - 1).request("GET", "/api/pages")
    assert (tenant.tokens, tenant.asked) == (0, [])


def test_limits_of_one_call_leave_the_client_as_it_was():
    with StubTenant() as tenant:
        client = connect()
        with pytest.raises(UpstreamTimeoutError):
            client.until(time.monotonic() - 1).request("GET", "/api/pages")
        client.until(time.monotonic() + 10).request("GET", "/api/pages")
        client.request("GET", "/api/pages")
    assert tenant.tokens == 1


def test_the_deadline_is_that_of_the_whole_call():
    with StubTenant() as tenant:
        tenant.token_answer = lambda: time.sleep(0.3) or (200, '{"access_token": "late"}')
        result = call_tool(make_app(DEADLINE="0.2"), "News_GetFeed")
    assert text_of(result).startswith("[TIMEOUT] Request timed out.")
    assert tenant.asked == [], "no time was left for the second request"


@pytest.mark.parametrize(
    "base_url",
    [
        "http://tenant.example",
        "https://127.0.0.1",
        "https://localhost",
        "https://localhost.",
        "https://[::1]",
        "https://[::ffff:7f00:1]",
        "https://2130706433",
        "https://0x7f.1",
        "https://0177.0.0.1",
        "https://127.1",
        "https://169.254.169.254",
        "https://100.64.0.1",
        "https://[64:ff9b::7f00:1]",
        "https://[2002:7f00:1::]",
        "https://metadata.google.internal",
        "https://tenant.example:22",
        "https://user@tenant.example",
        "https://ok.example\\@127.0.0.1/",
        "https://tenant.example/path",
        "gopher://tenant.example",
    ],
)
def test_hostile_base_urls_are_refused_alike_and_nothing_is_sent(base_url):
    headers = {**HEADERS, "x-dbplanet-base-url": base_url}
    with StubTenant() as tenant:
        text = text_of(call_tool(make_app(ALLOWED_BASE_URLS=""), "News_GetFeed", headers=headers))
        other = text_of(call_tool(make_app(), "News_GetFeed", headers=headers))
    assert text == other
    assert text.startswith("[400] This base URL is not served here.")
    assert (tenant.tokens, tenant.asked) == (0, [])


def test_without_a_list_any_public_https_tenant_may_be_named():
    with StubTenant() as tenant:
        result = call_tool(make_app(ALLOWED_BASE_URLS=""), "News_GetFeed")
    assert not result["isError"]
    assert tenant.tokens == 1


def test_the_operators_own_tenant_need_be_neither_public_nor_https():
    settings = Settings.load({"BASE_URL": "http://10.0.0.5:8080"})
    own = Credentials("a", "b", "c", "d", "http://10.0.0.5:8080")
    assert connector(settings)(own).base_url == "http://10.0.0.5:8080"
