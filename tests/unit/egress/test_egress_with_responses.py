"""The suites of the application replace `HTTPAdapter.send` by `responses`: the guard must not notice."""

from __future__ import annotations

import gzip
import io
import threading
from typing import Any
from unittest import mock

import pytest
import requests
import responses
import urllib3

from dbplanet.egress import Egress, EgressError, Limits, Policy

TENANT = "https://tenant.haiilo.example"


def no_lookups(host: str) -> list[str]:
    raise AssertionError(f"{host} was looked up")


@pytest.fixture
def egress() -> Egress:
    return Egress(
        Policy.for_tenants(), Limits(response_bytes=1000), resolver=no_lookups, user_agent="dbplanet/1"
    )


@responses.activate
def test_a_public_https_host_is_served_from_the_mock_without_a_lookup(egress: Egress) -> None:
    responses.get(f"{TENANT}/api/users/me", json={"id": "1"}, headers={"X-One": "1"})
    answer = egress.send("GET", f"{TENANT}/api/users/me", headers={"Authorization": "Bearer fake"})
    assert (answer.status, answer.reason, answer.body) == (200, "OK", b'{"id": "1"}')
    assert answer.headers["x-one"] == "1"
    assert answer.url == f"{TENANT}/api/users/me"
    sent = responses.calls[0].request.headers
    assert sent["Authorization"] == "Bearer fake"
    assert (sent["User-Agent"], sent["Accept-Encoding"]) == ("dbplanet/1", "gzip, deflate")


@responses.activate
def test_matchers_see_body_query_and_headers(egress: Egress) -> None:
    responses.post(
        f"{TENANT}/api/x",
        status=201,
        match=[
            responses.matchers.json_params_matcher({"a": 1}),
            responses.matchers.query_param_matcher({"q": "ü"}),
            responses.matchers.header_matcher({"Content-Type": "application/json"}),
        ],
    )
    answer = egress.send(
        "POST", f"{TENANT}/api/x?q=%C3%BC", headers={"Content-Type": "application/json"}, body=b'{"a":1}'
    )
    assert (answer.status, answer.body) == (201, b"")


@responses.activate
def test_a_streamed_mock_is_read_to_its_end(egress: Egress) -> None:
    responses.get(f"{TENANT}/file", body=io.BufferedReader(io.BytesIO(b"x" * 999)))  # type: ignore[arg-type]
    assert egress.send("GET", f"{TENANT}/file").body == b"x" * 999


@responses.activate
def test_a_mocked_gzip_body_is_decoded(egress: Egress) -> None:
    responses.get(f"{TENANT}/z", body=gzip.compress(b"hello"), headers={"Content-Encoding": "gzip"})
    assert egress.send("GET", f"{TENANT}/z").body == b"hello"


@responses.activate
def test_a_mocked_body_is_bounded(egress: Egress) -> None:
    responses.get(f"{TENANT}/big", body=b"x" * 1001, status=500)
    with pytest.raises(EgressError) as caught:
        egress.send("GET", f"{TENANT}/big")
    assert (caught.value.code, caught.value.status, caught.value.phrase) == (
        "response_too_large",
        500,
        "Internal Server Error",
    )


@responses.activate
def test_a_mocked_redirect_is_an_answer(egress: Egress) -> None:
    responses.get(f"{TENANT}/old", status=302, headers={"Location": "http://10.0.0.1/"})
    assert egress.send("GET", f"{TENANT}/old").status == 302
    with pytest.raises(EgressError) as caught:
        egress.send("GET", f"{TENANT}/old", follow_redirects=True)
    assert caught.value.reason == "downgrade"


@responses.activate
def test_the_session_is_served_from_the_mock_as_well(egress: Egress) -> None:
    responses.get(f"{TENANT}/a", body="plain")
    assert egress.session.get(f"{TENANT}/a").text == "plain"


@responses.activate
def test_no_cookie_is_kept(egress: Egress) -> None:
    responses.get(f"{TENANT}/a", headers={"Set-Cookie": "sid=1; Path=/"})
    answer = egress.send("GET", f"{TENANT}/a")
    egress.send("GET", f"{TENANT}/a")
    assert answer.headers["Set-Cookie"] == "sid=1; Path=/"
    assert "Cookie" not in responses.calls[1].request.headers
    assert not egress.session.cookies


@pytest.mark.parametrize(
    ("raised", "code", "sent"),
    [
        (requests.ConnectionError("Authorization: secret"), "unexpected", True),
        (
            requests.ConnectionError(urllib3.exceptions.ProtocolError("x", ConnectionResetError())),
            "reset",
            True,
        ),
        (requests.ConnectTimeout(), "connect_timeout", False),
        (requests.ReadTimeout(), "read_timeout", True),
        (requests.Timeout(), "read_timeout", True),
        (requests.exceptions.SSLError(), "tls", True),
        (requests.exceptions.ProxyError(), "proxy", True),
        (requests.exceptions.ChunkedEncodingError(), "incomplete_response", True),
        (OSError(24, "too many open files"), "unexpected", True),
        (ValueError("anything"), "unexpected", True),
    ],
)
@responses.activate
def test_what_a_mock_raises_becomes_a_category(
    egress: Egress, raised: Exception, code: str, sent: bool, caplog: pytest.LogCaptureFixture
) -> None:
    responses.post(f"{TENANT}/a", body=raised)
    with pytest.raises(EgressError) as caught:
        egress.send("POST", f"{TENANT}/a")
    assert (caught.value.code, caught.value.sent) == (code, sent)
    assert caught.value.__suppress_context__
    assert "secret" not in str(caught.value) + caplog.text


def test_an_answer_made_by_hand_is_read(egress: Egress) -> None:
    made = requests.Response()
    made.status_code, made.url, made._content = 200, f"{TENANT}/a", b"by hand"
    made.headers["X-One"] = "1"
    made.request = requests.Request("GET", made.url).prepare()

    def send(*args: Any, **kwargs: Any) -> requests.Response:
        return made

    with mock.patch("requests.adapters.HTTPAdapter.send", send):
        answer = egress.send("GET", f"{TENANT}/a")
    assert (answer.body, answer.headers["x-one"]) == (b"by hand", "1")


@responses.activate
def test_threads_may_share_one_object(egress: Egress) -> None:
    responses.get(f"{TENANT}/a", body="x")
    bodies: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: bodies.append(egress.send("GET", f"{TENANT}/a").body))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert bodies == [b"x"] * 8
