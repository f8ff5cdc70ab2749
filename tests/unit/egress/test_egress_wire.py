"""Reading an answer off the wire, however the network cuts it into pieces."""

from __future__ import annotations

import http.client
import io
from collections.abc import Iterable
from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from requests import PreparedRequest

from dbplanet.egress import EgressError, check_url
from dbplanet.egress.urls import canonical_url
from dbplanet.egress.wire import Incoming, write_request


class Pieces:
    """A socket that gives what it was made of, piece by piece, and then the end."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = [piece for piece in pieces if piece]
        self.sent = b""

    def recv(self, size: int, /) -> bytes:
        piece = self._pieces.pop(0) if self._pieces else b""
        if len(piece) > size:
            self._pieces.insert(0, piece[size:])
        return piece[:size]

    def sendall(self, data: bytes, /) -> None:
        self.sent += data


class AsFile(io.BytesIO):
    """What http.client takes for a socket."""

    def makefile(self, mode: str) -> AsFile:
        return self


def read(
    pieces: Iterable[bytes], request: str = "GET /"
) -> tuple[int, list[tuple[str, str]], bytes, list[bool]]:
    told: list[bool] = []
    incoming = Incoming(Pieces(pieces), request, told.append)
    body = b"".join(incoming.pieces())
    incoming.close()
    return incoming.status, list(incoming.headers.items()), body, told


def cut(answer: bytes, places: Iterable[int]) -> list[bytes]:
    ends = sorted({place % (len(answer) + 1) for place in places})
    return [answer[start:end] for start, end in zip([0, *ends], [*ends, len(answer)], strict=True)]


NAMES = st.text("ABCXYZabcxyz-", min_size=1, max_size=8).map(lambda name: f"X-{name}")
VALUES = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=20).map(str.strip)
BODIES = st.binary(max_size=300)
PLACES = st.lists(st.integers(0, 2000), max_size=8)


@st.composite
def answers(draw: st.DrawFn) -> tuple[bytes, list[tuple[str, str]], bytes]:
    """Return an answer, its headers as sent, and its body."""
    fields = draw(st.lists(st.tuples(NAMES, VALUES), max_size=5, unique_by=lambda field: field[0].lower()))
    body, end = draw(BODIES), draw(st.sampled_from(["\r\n", "\n"]))
    if draw(st.booleans()):
        framing = ("Transfer-Encoding", draw(st.sampled_from(["chunked", "Chunked"])))
        sent = b"".join(
            b"%x%s\r\n%s\r\n" % (len(chunk), draw(st.sampled_from([b"", b" ", b";a=b"])), chunk)
            for chunk in cut(body, draw(PLACES))
            if chunk
        )
        sent += b"0\r\n" + draw(st.sampled_from([b"", b"X-Trailer: 1\r\n"])) + b"\r\n"
    else:
        framing, sent = ("Content-Length", str(len(body))), body
    fields.insert(draw(st.integers(0, len(fields))), framing)
    head = end.join(["HTTP/1.1 200 OK", *[f"{name}:{value}" for name, value in fields], "", ""])
    return head.encode("latin-1") + sent, fields, body


@settings(max_examples=150, deadline=None)
@given(answers(), PLACES)
def test_an_answer_is_the_same_however_it_is_cut(
    answer: tuple[bytes, list[tuple[str, str]], bytes], places: list[int]
) -> None:
    sent, fields, body = answer
    assert read(cut(sent, places)) == (200, fields, body, [True])


@settings(max_examples=150, deadline=None)
@given(answers(), st.binary(min_size=1, max_size=50), PLACES)
def test_what_follows_an_answer_ends_the_connection_and_is_given_to_nobody(
    answer: tuple[bytes, list[tuple[str, str]], bytes], more: bytes, places: list[int]
) -> None:
    sent, fields, body = answer
    assert read([sent + more]) == (200, fields, body, [False])


@settings(max_examples=150, deadline=None)
@given(answers(), st.data())
def test_an_answer_that_is_cut_off_is_never_taken_for_a_whole_one(
    answer: tuple[bytes, list[tuple[str, str]], bytes], data: st.DataObject
) -> None:
    sent, _, _ = answer
    kept = data.draw(st.integers(0, len(sent) - 1))
    with pytest.raises(EgressError) as caught:
        read([sent[:kept]])
    assert caught.value.code in {"closed", "protocol", "incomplete_response"}


HEADS = st.lists(
    st.one_of(
        st.sampled_from(
            ["Content-Length: 2", "Content-Length: 3", "Content-Length: +2", "Transfer-Encoding: chunked"]
        ),
        st.sampled_from(
            ["Transfer-Encoding: gzip", "Connection: close", " folded", "no colon", "A : b", ": x"]
        ),
        st.builds(lambda name, value: f"{name}: {value}", NAMES, VALUES),
    ),
    max_size=4,
)


@settings(max_examples=250, deadline=None)
@given(st.sampled_from(["HTTP/1.1 200 OK", "HTTP/1.0 200 OK", "HTTP/1.1 404"]), HEADS, BODIES)
@example("HTTP/1.1 200 OK", ["Content-Length: 2", "Transfer-Encoding: chunked"], b"2\r\nab\r\n0\r\n\r\n")
def test_what_is_accepted_reads_as_http_client_reads_it(line: str, head: list[str], rest: bytes) -> None:
    sent = "\r\n".join([line, *head, "", ""]).encode() + rest
    try:
        status, _, body, _ = read([sent])
    except EgressError:
        return  # stricter on purpose
    other = http.client.HTTPResponse(AsFile(sent), method="GET")  # type: ignore[arg-type]
    other.begin()
    assert (other.status, other.read()) == (status, body)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200), PLACES)
def test_any_bytes_are_an_answer_or_a_refusal(sent: bytes, places: list[int]) -> None:
    with suppress(EgressError):
        status, _, _, told = read(cut(sent, places))
        assert (status >= 200, len(told)) == (True, 1)


@pytest.mark.parametrize(
    ("head", "kept"),
    [
        ("HTTP/1.1 200 OK\r\nContent-Length: 1", True),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1", True),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: Close", False),
        ("HTTP/1.0 200 OK\r\nContent-Length: 1", False),
        ("HTTP/1.0 200 OK\r\nContent-Length: 1\r\nConnection: keep-alive", True),
        ("HTTP/1.1 200 OK", False),
    ],
)
def test_a_connection_is_kept_where_both_sides_know_the_end(head: str, kept: bool) -> None:
    assert read([f"{head}\r\n\r\nx".encode()])[2:] == (b"x", [kept])


def test_a_connection_is_not_kept_where_two_framings_name_two_ends() -> None:
    sent = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\n1\r\nx\r\n0\r\n\r\n"
    assert read([sent])[2:] == (b"x", [False])


@pytest.mark.parametrize(
    ("framing", "kept"),
    [
        ("", True),
        ("Content-Length: 0\r\n", True),
        ("Content-Length: 9\r\n", False),
        ("Transfer-Encoding: chunked\r\n", False),
    ],
)
def test_a_connection_is_not_kept_whose_empty_answer_announces_a_body(framing: str, kept: bool) -> None:
    assert read([f"HTTP/1.1 204 No Content\r\n{framing}\r\n".encode()])[2:] == (b"", [kept])


def test_an_answer_that_is_not_read_ends_its_connection() -> None:
    told: list[bool] = []
    incoming = Incoming(Pieces([b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"]), "GET /", told.append)
    incoming.close()
    incoming.close()
    assert told == [False]


def test_a_request_is_written_in_one_piece() -> None:
    stream = Pieces([])
    write_request(stream, "POST /a?b=%C3%BC HTTP/1.1\r\nX-Odd: \xfc\r\n\r\n", b"body")
    assert stream.sent == b"POST /a?b=%C3%BC HTTP/1.1\r\nX-Odd: \xfc\r\n\r\nbody"


URL_PARTS = st.text("/?#%.~'()[]{}|^ab0AF4256:@!$&*+,;= ", max_size=20)


@settings(max_examples=500, deadline=None)
@given(URL_PARTS)
@example("api/users/4c65a238?q=%C3%BC&_orderBy=a,b")
@example("a%41")
@example("a%c3")
@example("/a")
@example("a/../b")
@example("a?")
def test_a_url_that_is_called_canonical_is_one_that_requests_leaves_alone(tail: str) -> None:
    url = f"https://good.test/{tail}"
    canonical = canonical_url(url)
    if canonical is not None:
        prepared = PreparedRequest()
        prepared.prepare_url(url, {})
        assert (prepared.url, prepared.path_url) == (url, canonical.path)
        assert check_url(url) == canonical


@pytest.mark.parametrize("tail", ["/", "/api/users/me", "/api/search?term=M%C3%BCller+x&_page=0"])
def test_the_usual_urls_are_canonical(tail: str) -> None:
    assert canonical_url(f"https://good.test{tail}") is not None
    assert canonical_url(f"http://127.0.0.1:9100{tail}") is not None
