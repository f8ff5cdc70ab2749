"""Answers that are too large, broken, or lie about themselves."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from collections.abc import Callable

import pytest
from egress_servers import Handler, Peer, always, ok, once, serving

from dbplanet.egress import Answer, Egress, EgressError

MakeEgress = Callable[..., Egress]
HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


def bare_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def reset(peer: Peer) -> None:
    peer.read_request()
    peer.reset()


def reset_within_the_body(peer: Peer) -> None:
    peer.read_request()
    peer.send(HEAD + b"Content-Length: 10\r\n\r\nabc")
    peer.server.over.wait(0.05)
    peer.reset()


def endless_headers(peer: Peer) -> None:
    peer.read_request()
    peer.send(HEAD)
    while True:
        peer.send(b"X-More: 1\r\n" * 50)


def endless_header_line(peer: Peer) -> None:
    peer.read_request()
    peer.send(HEAD + b"X-More: ")
    while True:
        peer.send(b"a" * 10_000)


@pytest.mark.parametrize(
    ("handler", "kind", "code"),
    [
        pytest.param(once(b""), "network", "closed", id="closed without an answer"),
        pytest.param(reset, "network", "reset", id="reset"),
        pytest.param(once(b"SSH-2.0-OpenSSH_9.6\r\n"), "network", "protocol", id="not HTTP"),
        pytest.param(once(b"HTTP/1.1 abc OK\r\n\r\n"), "network", "protocol", id="no status"),
        pytest.param(
            once(b"HTTP/1.1 103 Early Hints\r\n\r\n" + ok()), "network", "protocol", id="early hints"
        ),
        pytest.param(once(b"HTTP/1.1 101 Switching\r\n\r\n"), "network", "protocol", id="upgrade"),
        pytest.param(
            once(HEAD + b"no colon\r\nContent-Length: 2\r\n\r\nok"), "network", "protocol", id="lost headers"
        ),
        pytest.param(endless_headers, "network", "protocol", id="endless headers"),
        pytest.param(endless_header_line, "network", "protocol", id="endless header line"),
        pytest.param(
            once(HEAD + b"X-A: " + b"a" * 60_000 + b"\r\nX-B: " + b"b" * 60_000 + b"\r\n\r\n"),
            *("http", "response_too_large"),
            id="headers over the limit",
        ),
        pytest.param(
            once(HEAD + b"Content-Length: 10\r\n\r\nabc"), "network", "incomplete_response", id="cut body"
        ),
        pytest.param(reset_within_the_body, "network", "incomplete_response", id="reset body"),
        pytest.param(once(CHUNKED + b"5\r\nabc"), "network", "incomplete_response", id="cut chunk"),
        pytest.param(once(CHUNKED + b"3\r\nabc\r\n"), "network", "incomplete_response", id="no last chunk"),
        pytest.param(once(CHUNKED + b"zz\r\nabc\r\n"), "network", "incomplete_response", id="bad chunk size"),
        pytest.param(
            once(CHUNKED + b"-5\r\nabc\r\n"), "network", "incomplete_response", id="negative chunk size"
        ),
        pytest.param(
            once(HEAD + b"Content-Length: 2\r\nContent-Length: 5\r\n\r\nok"),
            "network",
            "protocol",
            id="two lengths",
        ),
        pytest.param(
            once(ok(b"no gzip", "Content-Encoding: gzip")), "parsing", "content_encoding", id="bad gzip"
        ),
        pytest.param(
            once(ok(b"\x0b\x02\x80", "Content-Encoding: br")), "parsing", "content_encoding", id="brotli"
        ),
        pytest.param(
            once(ok(gzip.compress(b"x"), f"Content-Encoding: {', '.join(['gzip'] * 20)}")),
            *("parsing", "content_encoding"),
            id="twenty encodings",
        ),
        pytest.param(
            once(HEAD + b"Content-Length: 99999999999\r\n\r\n"), "http", "response_too_large", id="announced"
        ),
    ],
)
def test_a_broken_answer_is_told_by_its_category(
    make_egress: MakeEgress, handler: Handler, kind: str, code: str
) -> None:
    with serving(handler) as server, pytest.raises(EgressError) as caught:
        make_egress(total=3.0).send("POST", f"http://app.test:{server.port}/?token=fake", body=b"x")
    assert (caught.value.kind, caught.value.code, caught.value.sent) == (kind, code, True)
    assert "fake" not in str(caught.value)
    assert len(server.requests) == 1


def endless(peer: Peer) -> None:
    peer.read_request()
    peer.send(HEAD + b"Connection: close\r\n\r\n")
    while True:
        peer.send(bytes(65536))


def endless_chunks(peer: Peer) -> None:
    peer.read_request()
    peer.send(CHUNKED)
    while True:
        peer.send(b"10000\r\n" + bytes(65536) + b"\r\n")


def single_bomb() -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join([packer.compress(bytes(1_000_000)) for _ in range(100)]) + packer.flush()


@pytest.mark.parametrize(
    "handler",
    [
        pytest.param(endless, id="until close"),
        pytest.param(endless_chunks, id="in chunks"),
        pytest.param(always(ok(single_bomb(), "Content-Encoding: gzip")), id="gzip bomb"),
        pytest.param(
            always(ok(gzip.compress(single_bomb()), "Content-Encoding: gzip, gzip")), id="double gzip bomb"
        ),
    ],
)
def test_a_body_without_end_is_stopped_at_the_limit_with_little_memory(
    make_egress: MakeEgress, handler: Handler
) -> None:
    with serving(handler) as server:
        egress = make_egress(response_bytes=1_000_000)
        tracemalloc.start()
        with pytest.raises(EgressError) as caught:
            egress.send("GET", f"http://app.test:{server.port}/")
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert (caught.value.code, caught.value.status) == ("response_too_large", 200)
    assert peak < 8_000_000


def test_the_wire_is_bounded_where_the_decoded_body_is_small(make_egress: MakeEgress) -> None:
    # empty stored blocks decode to nothing
    body = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03" + b"\x00\x00\x00\xff\xff" * 400_000
    chunked = b"".join(
        b"%x\r\n%b\r\n" % (len(body[i : i + 50_000]), body[i : i + 50_000])
        for i in range(0, len(body), 50_000)
    )
    answer = HEAD + b"Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked + b"0\r\n\r\n"
    with serving(once(answer)) as server, pytest.raises(EgressError) as caught:
        make_egress(response_bytes=100_000).send("GET", f"http://app.test:{server.port}/")
    assert caught.value.code == "response_too_large"


def test_a_too_large_error_page_still_tells_its_status(make_egress: MakeEgress) -> None:
    page = ok(b"x" * 2000, "Retry-After: 7", status="503 Busy")
    with serving(always(page)) as server, pytest.raises(EgressError) as caught:
        make_egress(response_bytes=1000).send("GET", f"http://app.test:{server.port}/")
    error = caught.value
    assert (error.code, error.status, error.phrase) == ("response_too_large", 503, "Busy")
    assert error.headers is not None
    assert error.headers["retry-after"] == "7"


def get(make_egress: MakeEgress, answer: bytes, method: str = "GET") -> Answer:
    with serving(once(answer)) as server:
        return make_egress(response_bytes=1000).send(method, f"http://app.test:{server.port}/")


@pytest.mark.parametrize(
    ("answer", "body"),
    [
        (ok(b""), b""),
        (ok(b"x" * 1000), b"x" * 1000),
        (HEAD + b"Connection: close\r\n\r\nuntil close", b"until close"),
        (b"HTTP/1.0 200 OK\r\n\r\nold", b"old"),
        (CHUNKED + b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nX-Trailer: 1\r\n\r\n", b"abcde"),
        (ok(gzip.compress(b"packed"), "Content-Encoding: gzip"), b"packed"),
        (ok(zlib.compress(b"packed"), "Content-Encoding: deflate"), b"packed"),
        (ok(bare_deflate(b"packed"), "Content-Encoding: deflate"), b"packed"),
        (ok(gzip.compress(gzip.compress(b"twice")), "Content-Encoding: gzip, GZIP"), b"twice"),
        (ok(gzip.compress(b"two ") + gzip.compress(b"members"), "Content-Encoding: x-gzip"), b"two members"),
        (ok(gzip.compress(b"padded") + bytes(20), "Content-Encoding: gzip"), b"padded"),
        (ok(b"", "Content-Encoding: gzip"), b""),
        (ok(b"", "Content-Encoding: br"), b""),
        (ok(b"plain", "Content-Encoding: identity"), b"plain"),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + ok(b"after"), b"after"),
        (b"HTTP/1.1 204 No Content\r\nContent-Length: 99999\r\n\r\n", b""),
        (b"HTTP/1.1 404\r\nContent-Length: 4\r\n\r\ngone", b"gone"),
    ],
)
def test_a_sound_answer_is_read(make_egress: MakeEgress, answer: bytes, body: bytes) -> None:
    assert get(make_egress, answer).body == body


def test_the_length_of_a_head_answer_is_no_promise(make_egress: MakeEgress) -> None:
    assert (
        get(make_egress, HEAD + b"Content-Length: 99999\r\n\r\n", "HEAD").headers["content-length"] == "99999"
    )


def test_repeated_and_odd_headers_arrive_clean(make_egress: MakeEgress) -> None:
    answer = ok(
        b"", "X-A: 1", "x-a: 2", "X-Odd: a\x01b\x7fc", "Set-Cookie: a=1, b", "Set-Cookie: c=2", "X(Odd): 1"
    )
    headers = get(make_egress, answer).headers
    assert headers["X-A"] == "1, 2"
    assert headers["Set-Cookie"] == "a=1, b\nc=2"
    assert all(char.isprintable() for char in headers["X-Odd"])
    assert "X(Odd)" not in headers
