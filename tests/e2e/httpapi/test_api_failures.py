"""Every condition of the reference's table (4.9) over real sockets, by the type and code a caller sees."""

from __future__ import annotations

import contextlib
import gzip
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from e2e.egress.egress_certificates import Authority
from e2e.egress.egress_servers import Handler, Peer, always, by_path, ok, once, redirect, serving
from e2e.httpapi.api_calls import Api, Outcome

MakeApi = Callable[..., Api]

HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
#: what no failure may show: the address, the query, a header's value, words of an exception
HIDDEN = ("127.0.0", "hidden", "Traceback", "HTTPConnection", "Errno", "urllib3", "requests", "0x7f")
SLACK = 1.5  # seconds


def attempt(api: Api, url: str, tool: str = "api_get", **arguments: object) -> Outcome:
    """Call with a secret in the query and in a header; neither may come back."""
    outcome = api.attempt(tool, url=url, headers={"Authorization": "Bearer hidden"}, **arguments)
    assert not [word for word in HIDDEN if word in outcome.text]
    return outcome


def reset(peer: Peer) -> None:
    peer.read_request()
    peer.reset()


def silent(peer: Peer) -> None:
    peer.read_request()
    peer.hang()


def silent_from_the_start(peer: Peer) -> None:
    peer.hang()


def silent_within_the_body(peer: Peer) -> None:
    peer.read_request()
    peer.send(HEAD + b"Content-Length: 10\r\n\r\nabc")
    peer.hang()


def drip_head(peer: Peer) -> None:
    peer.read_request()
    peer.send(HEAD + b"X-Slow: ")
    peer.drip(b"a")


def drip_body(peer: Peer) -> None:
    peer.read_request()
    peer.send(HEAD + b"Connection: close\r\n\r\n")
    peer.drip(b"a")


def endless_body(peer: Peer) -> None:
    peer.read_request()
    peer.send(HEAD + b"Connection: close\r\n\r\n")
    while True:
        peer.send(bytes(65536))


ANSWERS: list[tuple[str, Handler, str, str]] = [
    ("no answer", silent, "network", "read_timeout"),
    ("no more of the body", silent_within_the_body, "network", "read_timeout"),
    ("reset", reset, "network", "reset"),
    ("closed", once(b""), "network", "closed"),
    ("not HTTP", once(b"SSH-2.0-OpenSSH_9.6\r\n"), "network", "protocol"),
    ("no status", once(b"HTTP/1.1 abc OK\r\n\r\n"), "network", "protocol"),
    ("over 100 headers", once(HEAD + b"X-A: 1\r\n" * 101 + b"\r\n"), "network", "protocol"),
    ("long line", once(HEAD + b"X-A: " + b"a" * 70_000 + b"\r\n\r\n"), "network", "protocol"),
    ("cut body", once(HEAD + b"Content-Length: 9\r\n\r\nabc"), "network", "incomplete_response"),
    ("cut chunk", once(CHUNKED + b"5\r\nabc"), "network", "incomplete_response"),
    ("bad chunk size", once(CHUNKED + b"zz\r\nabc\r\n"), "network", "incomplete_response"),
    ("bad gzip", once(ok(b"no gzip", "Content-Encoding: gzip")), "parsing", "content_encoding"),
    (
        "twenty encodings",
        once(ok(gzip.compress(b"x"), "Content-Encoding: " + ", ".join(["gzip"] * 20))),
        *("parsing", "content_encoding"),
    ),
    ("too large, announced", once(HEAD + b"Content-Length: 99999999\r\n\r\n"), "http", "response_too_large"),
    ("too large, endless", endless_body, "http", "response_too_large"),
    (
        "too large, unpacked",
        once(ok(gzip.compress(bytes(5_000_000)), "Content-Encoding: gzip")),
        *("http", "response_too_large"),
    ),
    ("slow head", drip_head, "network", "deadline"),
    ("slow body", drip_body, "network", "deadline"),
    ("redirect to a file", always(redirect("file:///etc/passwd")), "validation", "invalid_scheme"),
    ("redirect without a host", always(redirect("http://")), "validation", "invalid_url"),
    ("redirect to a loopback name", always(redirect("http://localhost/")), "validation", "blocked"),
    ("redirect inwards", always(redirect("http://127.0.0.9:8080/")), "validation", "blocked"),
    ("redirect to metadata", always(redirect("http://169.254.169.254/latest")), "validation", "blocked"),
    ("loop", always(redirect("/again")), "http", "too_many_redirects"),
    ("not found", always(ok(b"no", status="404 Not Found")), "http", "http_status"),
    ("down", always(ok(b"no", status="503 Service Unavailable")), "http", "http_status"),
    ("no JSON", always(ok(b"{", "Content-Type: application/json")), "parsing", "invalid_json_response"),
]


@pytest.mark.parametrize(("handler", "kind", "code"), [pytest.param(*row[1:], id=row[0]) for row in ANSWERS])
def test_what_a_server_does_wrong_is_told_by_its_category(
    make_api: MakeApi, handler: Handler, kind: str, code: str
) -> None:
    with serving(handler) as server:
        api = make_api(read=0.3, total=0.6, response_bytes=100_000)
        outcome = attempt(api, f"http://app.test:{server.port}/?token=hidden")
    assert outcome.kind == (kind, code)
    assert outcome.seconds < 0.6 + SLACK


def test_no_failure_leaves_a_secret_in_the_log(make_api: MakeApi, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "dbplanet")
    urls = [
        "http://127.0.0.9/?hidden",
        "http://a:hidden@app.test/",
        "file:///hidden",
        "http://app.test:1/?hidden",
    ]
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(serving(row[1])) for row in ANSWERS]
        urls += [f"http://app.test:{server.port}/?token=hidden" for server in servers]
        api = make_api(read=0.1, total=0.2, response_bytes=100_000, options={"log_requests": True})
        for url in urls:
            api.attempt("api_post", url=url, headers={"Authorization": "Bearer hidden"}, body="hidden")
    assert caplog.text.count("POST ") == len(urls)
    assert "hidden" not in caplog.text
    assert "Bearer" not in caplog.text


@pytest.mark.parametrize("tool", ["api_post", "api_put", "api_delete"])
@pytest.mark.parametrize(
    ("handler", "code"), [(reset, "reset"), (once(b""), "closed"), (drip_head, "deadline")]
)
def test_a_write_is_sent_once_whatever_becomes_of_it(
    make_api: MakeApi, tool: str, handler: Handler, code: str
) -> None:
    with serving(handler) as server:
        outcome = attempt(make_api(total=0.4), f"http://app.test:{server.port}/", tool)
    assert outcome.kind == ("network", code)
    assert len(server.requests) == 1


@contextlib.contextmanager
def full_queue() -> Iterator[int]:
    """A port whose queue is full: the kernel leaves further connections without an answer."""
    with socket.socket() as listener, contextlib.ExitStack() as stack:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(3):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]


@contextlib.contextmanager
def refusing() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
    yield port


@pytest.mark.parametrize(
    ("server", "code"), [(refusing, "refused"), (full_queue, "connect_timeout")], ids=["refused", "silent"]
)
def test_a_connection_that_does_not_come_about_is_told(
    make_api: MakeApi, server: Callable[[], contextlib.AbstractContextManager[int]], code: str
) -> None:
    with server() as port:
        outcome = attempt(make_api(connect=0.3), f"http://app.test:{port}/?token=hidden")
    assert outcome.kind == ("network", code)
    assert outcome.seconds < 0.3 + SLACK


def test_an_unknown_name_is_told(make_api: MakeApi) -> None:
    def nothing(host: str) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "hidden words")

    assert attempt(make_api(resolver=nothing), "https://app.test/").kind == ("network", "dns")


@pytest.mark.parametrize(
    ("limits", "code"), [({"connect": 0.2}, "connect_timeout"), ({"total": 0.2}, "deadline")]
)
def test_a_stuck_look_up_ends_in_time(make_api: MakeApi, limits: dict[str, float], code: str) -> None:
    release = threading.Event()

    def stuck(host: str) -> list[str]:
        release.wait(20)
        return ["127.0.0.1"]

    outcome = attempt(make_api(resolver=stuck, **limits), "http://app.test/")
    release.set()
    assert outcome.kind == ("network", code)
    assert outcome.seconds < 0.2 + SLACK


@pytest.mark.parametrize(
    ("names", "days"), [(["other.test"], 10), (["app.test"], -5)], ids=["wrong name", "expired"]
)
def test_a_bad_certificate_is_told(
    make_api: MakeApi, authority: Authority, names: list[str], days: int
) -> None:
    with serving(always(ok()), tls=authority.context(*names, days=days)) as server:
        outcome = attempt(make_api(), f"https://app.test:{server.port}/", "api_post", body="hidden")
    assert outcome.kind == ("network", "tls")
    assert server.requests == []


def test_an_unknown_authority_is_told(make_api: MakeApi, authority: Authority) -> None:
    with serving(always(ok()), tls=authority.context("app.test")) as server:
        outcome = attempt(make_api(options={"ca_bundle": None}), f"https://app.test:{server.port}/")
    assert outcome.kind == ("network", "tls")


def test_https_at_an_http_port_and_the_reverse_are_told(make_api: MakeApi, authority: Authority) -> None:
    def plain(peer: Peer) -> None:
        peer.sock.recv(5)
        peer.send(ok(status="400 Bad Request"))

    with serving(plain) as http, serving(always(ok()), tls=authority.context("app.test")) as https:
        assert attempt(make_api(), f"https://app.test:{http.port}/").kind == ("network", "tls")
        kind, code = attempt(make_api(), f"http://app.test:{https.port}/").kind
    assert kind == "network"
    assert code in {"reset", "closed", "protocol"}


def test_a_handshake_without_an_answer_ends_in_time(make_api: MakeApi) -> None:
    with serving(silent_from_the_start) as server:
        outcome = attempt(make_api(connect=0.3, read=0.3), f"https://app.test:{server.port}/")
    assert outcome.kind == ("network", "read_timeout")
    assert outcome.seconds < 0.3 + SLACK


@pytest.mark.parametrize("handler", [drip_head, drip_body])
def test_the_total_limit_holds_over_tls(make_api: MakeApi, authority: Authority, handler: Handler) -> None:
    with serving(handler, tls=authority.context("app.test")) as server:
        outcome = attempt(make_api(total=0.4), f"https://app.test:{server.port}/")
    assert outcome.kind == ("network", "deadline")
    assert outcome.seconds < 0.4 + SLACK


def test_a_ca_bundle_that_has_gone_is_told_without_its_path(make_api: MakeApi, tmp_path: Path) -> None:
    gone = str(tmp_path / "hidden.pem")
    outcome = attempt(make_api(options={"ca_bundle": gone}), "https://app.test/")
    assert outcome.kind == ("network", "unexpected")


def test_a_redirect_from_https_to_http_is_refused(make_api: MakeApi, authority: Authority) -> None:
    with serving(always(redirect("http://app.test/"))) as plain:
        answer = always(redirect(f"http://app.test:{plain.port}/"))
        with serving(answer, tls=authority.context("app.test")) as server:
            outcome = attempt(make_api(), f"https://app.test:{server.port}/")
    assert outcome.kind == ("validation", "blocked")
    assert outcome.error["details"]["reason"] == "downgrade"
    assert plain.requests == []


def test_a_name_that_turns_inwards_between_two_calls_is_refused(make_api: MakeApi) -> None:
    answers = [["127.0.0.1"], ["127.0.0.9"]]
    with serving(always(ok())) as server:
        api = make_api(resolver=lambda host: answers.pop(0))
        assert api.call("api_get", url=f"http://rebind.test:{server.port}/").value["status"] == 200
        outcome = attempt(api, f"http://rebind.test:{server.port}/")
    assert outcome.kind == ("validation", "blocked")
    assert len(server.requests) == 1


def test_a_large_request_is_refused_before_anything_is_sent(make_api: MakeApi) -> None:
    with serving(always(ok())) as server:
        api, url = make_api(request_bytes=1000), f"http://app.test:{server.port}/"
        for body in ("x" * 1001, ["ü" * 500], "ü" * 501):
            outcome = attempt(api, url, "api_post", body=body)
            assert outcome.kind == ("validation", "request_too_large")
        assert server.connections == 0
        assert api.call("api_post", url=url, body="x" * 1000).value["status"] == 200


def test_a_large_error_page_still_tells_status_and_headers(make_api: MakeApi) -> None:
    page = ok(b"x" * 2000, "Retry-After: 7", status="503 Busy")
    with serving(always(page)) as server:
        error = attempt(make_api(response_bytes=1000), f"http://app.test:{server.port}/").error
    assert (error["type"], error["statusCode"]) == ("http", 503)
    assert error["details"]["code"] == "response_too_large"
    assert error["details"]["statusText"] == "Busy"
    assert error["details"]["headers"]["retry-after"] == "7"


def test_one_call_too_many_redirects_is_five(make_api: MakeApi) -> None:
    hops = {f"r{n}": redirect(f"/r{n + 1}") for n in range(6)}
    with serving(by_path(**hops, r6=ok(b"end"), r5b=redirect("/r6"))) as server:
        url = f"http://app.test:{server.port}"
        assert attempt(make_api(), f"{url}/r0").kind == ("http", "too_many_redirects")
        assert make_api().call("api_get", url=f"{url}/r1").value["data"] == "end"
