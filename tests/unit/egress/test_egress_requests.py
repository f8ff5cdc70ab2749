"""What a caller may ask for: methods, headers, sizes."""

from __future__ import annotations

import threading
import time
import tracemalloc

import pytest
import responses

from dbplanet.egress import Egress, EgressError, Limits, Policy

URL = "https://tenant.haiilo.example/a"


def refused(
    *, headers: dict[str, str] | None = None, method: str = "GET", body: bytes | None = None
) -> EgressError:
    egress = Egress(Policy.for_tenants(), Limits(request_bytes=10))
    with responses.RequestsMock() as nothing_registered, pytest.raises(EgressError) as caught:
        egress.send(method, URL, headers=headers, body=body)
    assert len(nothing_registered.calls) == 0
    assert caught.value.sent is False
    return caught.value


@pytest.mark.parametrize(
    "name",
    [
        *("Host", "host", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "TE", "Trailer"),
        *(
            "Upgrade",
            "Expect",
            "Accept-Encoding",
            "HTTP2-Settings",
            "Proxy-Authorization",
            "Proxy-Connection",
        ),
        *("Sec-Fetch-Mode", "Via", "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP"),
        *("X-Original-URL", "X-Rewrite-URL", "X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"),
        *("Metadata-Flavor", "Metadata", "X-aws-ec2-metadata-token", "X-aws-ec2-metadata-token-ttl-seconds"),
    ],
)
def test_a_header_of_the_connection_or_of_trust_is_forbidden(name: str) -> None:
    error = refused(headers={name: "1"})
    assert (error.kind, error.code, error.reason) == ("validation", "forbidden_header", name)


@pytest.mark.parametrize(
    ("headers", "name"),
    [
        ({"X-A": "one\r\nX-Evil: 1"}, "X-A"),
        ({"X-A": "one\ntwo"}, "X-A"),
        ({"X-A": "one\x00"}, "X-A"),
        ({"X-A": "one\x7f"}, "X-A"),
        ({"X-A": "☃"}, "X-A"),
        ({"X-A": 1}, "X-A"),
        ({"X-A": None}, "X-A"),
        ({"X-A": "1", "x-a": "2"}, "x-a"),
        ({"X A": "1"}, None),
        ({"X-A:": "1"}, None),
        ({"": "1"}, None),
        ({"X-\u00fc": "1"}, None),
        ({"X-A\r\nX-B": "1"}, None),
        ({f"X-{number}": "1" for number in range(65)}, None),
        ({"X-A": "a" * 17_000}, None),
    ],
)
def test_a_malformed_header_is_refused_by_name_and_never_by_value(
    headers: dict[str, str], name: str | None
) -> None:
    error = refused(headers=headers)
    assert (error.code, error.reason) == ("invalid_headers", name)


@responses.activate
def test_good_headers_go_out_trimmed() -> None:
    responses.get(URL)
    headers = {
        "Authorization": " Bearer fake\t",
        "Cookie": "a=1",
        "X-Name": "M\xfcller",
        "User-Agent": "mine",
    }
    Egress(Policy.for_tenants()).send("GET", URL, headers=headers)
    sent = responses.calls[0].request.headers
    assert sent["Authorization"] == "Bearer fake"
    assert (sent["Cookie"], sent["X-Name"], sent["user-agent"]) == ("a=1", "M\xfcller", "mine")


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "get", "GET /", "", "PO ST"])
def test_only_the_usual_methods_are_sent(method: str) -> None:
    assert refused(method=method).code == "unsupported_method"


def test_a_body_over_the_limit_is_refused() -> None:
    assert refused(method="POST", body=b"x" * 11).code == "request_too_large"


@responses.activate
def test_an_observer_that_fails_changes_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    def fail(url: str, outcome: int | str, seconds: float) -> None:
        raise OSError("its-words")

    responses.get(URL, status=201)
    assert Egress(Policy.for_tenants(), observe=fail).send("GET", URL).status == 201
    assert "the observer failed: OSError" in caplog.text
    assert "its-words" not in caplog.text


def test_a_passed_deadline_sends_nothing() -> None:
    egress = Egress(Policy.for_tenants())
    with responses.RequestsMock(), pytest.raises(EgressError) as caught:
        egress.send("POST", URL, deadline=time.monotonic() - 1)
    assert (caught.value.code, caught.value.timeout, caught.value.sent) == ("deadline", True, False)


@pytest.mark.parametrize(
    "proxy", ["socks5://127.0.0.1:1", "https://proxy.test:1", "proxy.test:8080", "http://"]
)
def test_a_proxy_of_another_kind_is_refused_at_once(proxy: str) -> None:
    with pytest.raises(ValueError, match="http://"):
        Egress(Policy.for_tenants(), proxy=proxy)


def test_an_object_is_small_enough_for_one_per_user_session_and_starts_nothing() -> None:
    policy = Policy.for_tenants()
    Egress(policy)
    threads = threading.active_count()
    tracemalloc.start()
    try:
        objects = [Egress(policy) for _ in range(100)]
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held / len(objects) < 20_000
    assert threading.active_count() == threads
