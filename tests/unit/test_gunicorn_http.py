"""Our reading of a request's head against gunicorn's own, and answers that go out as one piece."""

import socket
import threading
import time

import pytest
from gunicorn.config import Config
from gunicorn.http.message import Request
from gunicorn.http.parser import RequestParser
from gunicorn.http.unreader import IterUnreader
from gunicorn.http.wsgi import Response
from hypothesis import example, given
from hypothesis import strategies as st

from dbplanet.gunicorn_http import PlainRequest, PlainResponse, is_read
from dbplanet.gunicorn_linger import Lingering

HOST = b"Host: localhost"
POST = b"POST /mcp HTTP/1.1\r\n"


def request_of(kind, head, body=b"0\r\n\r\n", *, settings=None, peer="127.0.0.1"):
    config = Config()
    for name, value in (settings or {}).items():
        config.set(name, value)
    return kind(config, IterUnreader([POST + head + b"\r\n\r\n" + body]), (peer, 1))


def outcome(kind, head, body=b"0\r\n\r\n", **options):
    """Return what a request is read as, or how it is refused."""
    try:
        request = request_of(kind, head, body, **options)
        return request.headers, request.scheme, request._expected_100_continue, request.body.read()
    except Exception as error:
        return type(error), str(error)


USUAL = b"\r\n".join(
    (
        HOST,
        b"Content-Type: application/json",
        b"Content-Length: 5",
        b"X-DBPlanet-Username:\tada \t",
        b"Empty:",
    )
)

ODD = {
    "usual": USUAL,
    "no headers": b"",
    "two lengths": HOST + b"\r\nContent-Length: 5\r\nContent-Length: 5",
    "two lengths of different case": HOST + b"\r\nContent-Length: 5\r\ncontent-length: 6",
    "length and chunks": HOST + b"\r\nContent-Length: 5\r\nTransfer-Encoding: chunked",
    "chunks": HOST + b"\r\nTransfer-Encoding: chunked",
    "chunks twice": HOST + b"\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
    "unknown coding": HOST + b"\r\nTransfer-Encoding: xchunked",
    "coding with tab": HOST + b"\r\nTransfer-Encoding:\tchunked",
    "identity": HOST + b"\r\nTransfer-Encoding: identity\r\nContent-Length: 5",
    "folded": HOST + b"\r\nX: a\r\n b",
    "folded with tab": HOST + b"\r\nX: a\r\n\tb",
    "folded at the start": b" X: a\r\n" + HOST,
    "bare line feed": HOST + b"\nContent-Length: 5",
    "bare line feed in a value": HOST + b"\r\nX: a\nb: c",
    "bare carriage return": HOST + b"\r\nX: a\rb: c",
    "two carriage returns": HOST + b"\r\nX: a\r\r\nb: c",
    "nul": HOST + b"\r\nX: a\x00b",
    "delete": HOST + b"\r\nX: a\x7fb",
    "escape in a name": HOST + b"\r\nX\x1b: a",
    "space before the colon": HOST + b"\r\nContent-Length : 5",
    "tab before the colon": HOST + b"\r\nContent-Length\t: 5",
    "space in a name": HOST + b"\r\nContent Length: 5",
    "no colon": HOST + b"\r\nContent-Length",
    "no name": HOST + b"\r\n: 5",
    "not ascii in a name": HOST + b"\r\nX\xdf: a",
    "not ascii in a value": HOST + b"\r\nX: \xc3\xbc",
    "next line in a value": HOST + b"\r\nX: a\x85b",
    "underscore": HOST + b"\r\nContent_Length: 5",
    "underscore of a forwarder": HOST + b"\r\nSCRIPT_NAME: /ai",
    "plus length": HOST + b"\r\nContent-Length: +5",
    "negative length": HOST + b"\r\nContent-Length: -5",
    "list of lengths": HOST + b"\r\nContent-Length: 5, 5",
    "length in hex": HOST + b"\r\nContent-Length: 0x5",
    "superscript length": HOST + b"\r\nContent-Length: \xb2",
    "two hosts": HOST + b"\r\nHost: evil.example",
    "two types": HOST + b"\r\nContent-Type: a/b\r\nContent-Type: c/d",
    "repeated": HOST + b"\r\nAccept: a\r\nAccept: b",
    "expect": HOST + b"\r\nExpect: 100-continue",
    "expect something else": HOST + b"\r\nExpect: more",
    "scheme": HOST + b"\r\nX-Forwarded-Proto: https",
    "two schemes": HOST + b"\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Ssl: off",
    "a hundred": b"\r\n".join(b"X%d: a" % number for number in range(100)),
    "one more than a hundred": b"\r\n".join(b"X%d: a" % number for number in range(101)),
    "as long as can be": HOST + b"\r\nX: " + b"a" * 8185,
    "longer": HOST + b"\r\nX: " + b"a" * 8186,
    "long alone": b"X: " + b"a" * 8185,
    "longer alone": b"X: " + b"a" * 8186,
    "long altogether": b"\r\n".join(b"X%d: %s" % (number, b"a" * 1000) for number in range(20)),
}


@pytest.mark.parametrize("peer", ["127.0.0.1", "203.0.113.9"])
@pytest.mark.parametrize("case", ODD)
def test_a_head_is_read_or_refused_as_gunicorn_does(case, peer):
    assert outcome(PlainRequest, ODD[case], peer=peer) == outcome(Request, ODD[case], peer=peer)


@pytest.mark.parametrize(
    "settings",
    [
        {"limit_request_fields": 3},
        {"limit_request_field_size": 40},
        {"header_map": "drop"},
        {"permit_obsolete_folding": True},
        {"strip_header_spaces": True},
        {"forwarded_allow_ips": "*"},
    ],
)
def test_settings_that_change_what_is_read_count(settings):
    for case in ODD.values():
        given_settings = {"settings": settings}
        assert outcome(PlainRequest, case, **given_settings) == outcome(Request, case, **given_settings)


LINES = st.lists(
    st.one_of(
        st.sampled_from([HOST, *USUAL.split(b"\r\n"), *(case for case in ODD.values() if len(case) < 100)]),
        st.binary(max_size=20),
        st.tuples(st.from_regex(rb"\A[A-Za-z_:\t -]{1,9}\Z"), st.binary(max_size=9)).map(b":".join),
    ),
    max_size=8,
)


@given(LINES, st.sampled_from([b"\r\n", b"\r\n", b"\n", b"\r", b"\r\n "]))
@example([HOST, b"X:\x85a"], b"\r\n")
def test_any_head_is_read_or_refused_as_gunicorn_does(lines, end):
    assert outcome(PlainRequest, end.join(lines)) == outcome(Request, end.join(lines))


def test_what_is_usual_is_read_at_once(monkeypatch):
    monkeypatch.setattr(Request, "parse_headers", None)
    request = request_of(PlainRequest, USUAL)
    assert request.headers[3:] == [("X-DBPLANET-USERNAME", "ada"), ("EMPTY", "")]


def parser_of(data):
    return RequestParser(Config(), [data], ("127.0.0.1", 1))


FIRST = POST + HOST + b"\r\nContent-Length: 5\r\n\r\nfirst"


def test_after_a_body_that_was_read_the_next_request_begins():
    parser = parser_of(FIRST + FIRST.replace(b"first", b"other"))
    assert next(parser).body.read() == b"first"
    assert is_read(parser)
    following = next(parser)
    assert (type(following), following.body.read()) == (PlainRequest, b"other")


@pytest.mark.parametrize(
    ("data", "size"),
    [(FIRST, 0), (FIRST, 3), (POST + HOST + b"\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", 9)],
    ids=["unread", "half read", "chunked"],
)
def test_any_other_body_is_left_to_gunicorn(data, size):
    parser = parser_of(data)
    next(parser).body.read(size)
    assert not is_read(parser)


class Sock:
    def __init__(self):
        self.sent = []

    def sendall(self, data):
        self.sent.append(data)


def answered(kind, head, pieces, status="200 OK", headers=(("Content-Length", "5"), ("X-Own", "ü"))):
    """Return the pieces that are sent for an answer."""
    sock, config = Sock(), Config()
    response = kind(request_of(Request, head), sock, config)
    response.start_response(status, list(headers))
    for piece in pieces:
        response.write(piece)
    response.close()
    return sock.sent


def without_date(sent):
    return [line for line in b"".join(sent).split(b"\r\n") if not line.startswith(b"Date: ")]


ANSWERS = {
    "whole": {"pieces": [b"whole"]},
    "closing": {"pieces": [b"whole"], "head": HOST + b"\r\nConnection: close"},
    "in pieces": {"pieces": [b"wh", b"ole"]},
    "too short": {"pieces": [b"who"]},
    "too long": {"pieces": [b"whole and more"]},
    "one piece too many": {"pieces": [b"whole", b"more"]},
    "empty": {"pieces": [b""], "headers": [("Content-Length", "0")]},
    "nothing": {"pieces": [], "headers": [("Content-Length", "0")]},
    "no length": {"pieces": [b"a", b"b"], "headers": []},
    "not modified": {"pieces": [b"whole"], "status": "304 NOT MODIFIED"},
    "no content": {"pieces": [], "status": "204 NO CONTENT", "headers": []},
    "upgrade": {"pieces": [b"whole"], "headers": [("Content-Length", "5"), ("Connection", "upgrade")]},
}


@pytest.mark.parametrize("case", ANSWERS)
def test_an_answer_is_gunicorns_but_for_the_number_of_pieces(case):
    options = {"head": HOST, **ANSWERS[case]}
    ours, theirs = answered(PlainResponse, **options), answered(Response, **options)
    assert without_date(ours) == without_date(theirs)


def test_what_is_whole_goes_out_as_one():
    assert len(answered(PlainResponse, HOST, [b"whole"])) == 1
    assert len(answered(Response, HOST, [b"whole"])) == 2


@pytest.mark.parametrize("piece", ["whole", bytearray(b"whole"), [1, 2, 3, 4, 5]])
def test_what_is_no_bytes_is_refused_before_it_is_said_to_be_sent(piece):
    with pytest.raises(TypeError):
        answered(PlainResponse, HOST, [piece])


@pytest.fixture
def pair():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def test_a_thread_lingers_until_its_connection_has_something(pair):
    ours, theirs = pair
    lingering = Lingering(1, 5)
    threading.Timer(0.05, theirs.sendall, (b"x",)).start()
    assert lingering.wait(ours)
    assert lingering.count == 0


def test_it_does_not_linger_for_longer_than_it_may(pair):
    begun = time.monotonic()
    assert not Lingering(1, 0.05).wait(pair[0])
    assert 0.04 < time.monotonic() - begun < 2


def test_it_goes_on_as_soon_as_somebody_needs_it(pair):
    lingering = Lingering(1, 30)
    threading.Timer(0.05, lingering.release).start()
    begun = time.monotonic()
    assert not lingering.wait(pair[0])
    assert time.monotonic() - begun < 5


def test_only_so_many_linger(pair):
    lingering = Lingering(1, 30)
    other = threading.Thread(target=lingering.wait, args=(pair[0],))
    other.start()
    while not lingering.count:
        time.sleep(0.001)
    assert not lingering.wait(pair[0])
    lingering.release()
    other.join()
    assert lingering.count == 0


def test_releasing_nobody_lets_the_next_one_linger(pair):
    lingering = Lingering(1, 0.05)
    lingering.release()
    begun = time.monotonic()
    assert not lingering.wait(pair[0])
    assert time.monotonic() - begun > 0.04
