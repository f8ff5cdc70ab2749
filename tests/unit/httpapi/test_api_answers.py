"""How a target's answer is read: JSON, text in its charset, or base64 with type and size."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbplanet.egress import Answer
from dbplanet.httpapi.answers import read_answer
from dbplanet.httpapi.errors import ApiError
from dbplanet.httpapi.jsontext import MAX_DEPTH, dump

JSON, NONE = "application/json", None


def read(
    body: bytes, content_type: str | None = None, status: int = 200, reason: str = "OK"
) -> dict[str, Any]:
    headers = {} if content_type is None else {"Content-Type": content_type}
    return read_answer(Answer(status, reason, headers, body, "http://app.test/"))


def failing(body: bytes, content_type: str | None = None, status: int = 200) -> ApiError:
    with pytest.raises(ApiError) as caught:
        read(body, content_type, status)
    return caught.value


def nested(levels: int, innermost: bytes = b"") -> bytes:
    return b"[" * levels + innermost + b"]" * levels


@pytest.mark.parametrize(
    ("body", "content_type", "data"),
    [
        (b"", JSON, None),
        (b"", "text/html", None),
        (b"", "image/png", None),
        (b"", NONE, None),
        (b'{"a": [1, 2.5, null, true, "\xc3\xbc"]}', JSON, {"a": [1, 2.5, None, True, "ü"]}),
        (b"\xef\xbb\xbf{}", JSON, {}),
        ('{"a":"ü"}'.encode("utf-16"), JSON, {"a": "ü"}),
        ('{"a":"ü"}'.encode("utf-16-be"), JSON, {"a": "ü"}),
        ('{"a":"ü"}'.encode("utf-32"), JSON, {"a": "ü"}),
        ('{"a":"ü"}'.encode("latin-1"), "application/json; charset=iso-8859-1", {"a": "ü"}),
        (b"[1]", "text/json", [1]),
        (b"[1]", "application/problem+json; charset=utf-8", [1]),
        (b"[1]", "Application/JSON", [1]),
        (b'"text"', JSON, "text"),
        (b"null", JSON, None),
        (b"12345678901234567890123", JSON, 12345678901234567890123),
        (b'"\\ud83d\\ude00"', JSON, "😀"),
        (b'{"a\\ud800": "b\\udfffc"}', JSON, {"a\ufffd": "b\ufffdc"}),
        (nested(MAX_DEPTH), JSON, json.loads(nested(MAX_DEPTH))),
        (nested(MAX_DEPTH, b"1"), JSON, json.loads(nested(MAX_DEPTH, b"1"))),
        (b'{"a": 1}', NONE, {"a": 1}),
        (b"17", NONE, 17),
        (b"plain words", NONE, "plain words"),
        (b"\xef\xbb\xbfplain", NONE, "plain"),
        (b"NaN", NONE, "NaN"),
        (b"plain", "", "plain"),
        (b"plain", "nonsense", "plain"),
        (b'{"a": 1}', "text/plain", '{"a": 1}'),
        ("Grüße".encode(), "text/html", "Grüße"),
        ("Grüße".encode("latin-1"), "text/plain; charset=ISO-8859-1", "Grüße"),
        ("Grüße €".encode("cp1252"), 'text/html; Charset = "windows-1252"', "Grüße €"),
        ("日本".encode("shift_jis"), "text/plain;charset=Shift_JIS", "日本"),
        ("Grüße".encode("utf-16"), "text/plain; charset=utf-16", "Grüße"),
        ("Grüße".encode("utf-16"), "text/plain", "Grüße"),
        (b"\xef\xbb\xbfx", "text/csv; charset=latin-1", "x"),
        (b"abc", "text/plain; charset=hex", "abc"),
        (b"eJw=", "text/plain; charset=zlib", "eJw="),
        (b"a\\x", "text/plain; charset=unicode_escape", "a\\x"),
        (b"xn--a", "text/plain; charset=punycode", "xn--a"),
        (b"+AGE-", "text/plain; charset=utf-7", "+AGE-"),
        (b"abc", "text/plain; charset=undefined", "abc"),
        (b"abc", "text/plain; charset=../../x", "abc"),
        (b"a\xffb", "text/plain", "a\ufffdb"),
        (b"<a/>", "application/xml", "<a/>"),
        (b"<svg/>", "image/svg+xml", "<svg/>"),
        (b"a=1", "application/x-www-form-urlencoded", "a=1"),
        (b'{"a":1}\n{"a":2}\n', "application/x-ndjson", '{"a":1}\n{"a":2}\n'),
    ],
)
def test_a_body_is_json_or_text_by_its_type(body: bytes, content_type: str | None, data: Any) -> None:
    answer = read(body, content_type)
    assert answer.keys() == {"status", "statusText", "headers", "data"}
    assert answer["data"] == data


@pytest.mark.parametrize(
    ("body", "content_type", "shown"),
    [
        (b"\x89PNG\r\n", "image/png", "image/png"),
        (b"text or not", "application/octet-stream; charset=utf-8", "application/octet-stream"),
        (b"\xff\xfe\xfd", NONE, None),
        (b"a\xffb", NONE, None),
    ],
)
def test_anything_else_is_base64_with_type_and_size(
    body: bytes, content_type: str | None, shown: str | None
) -> None:
    answer = read(body, content_type)
    assert answer["dataEncoding"] == "base64"
    assert answer["data"] == {
        "encoding": "base64",
        "contentType": shown,
        "size": len(body),
        "base64": base64.b64encode(body).decode(),
    }


BAD_JSON = [
    b"{",
    b"<html>Log in</html>",
    b"[NaN]",
    b"[Infinity]",
    b"-Infinity",
    b"[1e999]",
    b"9" * 5000,
    nested(MAX_DEPTH + 1),
    nested(100_000),
    b'"\xff"',
    b"  ",
]


@pytest.mark.parametrize("body", BAD_JSON, ids=lambda body: repr(body[:20]))
def test_bad_json_is_a_parsing_error_with_the_beginning_of_the_text(body: bytes) -> None:
    error = failing(body, JSON)
    assert (error.kind, error.code, error.status) == ("parsing", "invalid_json_response", 200)
    assert error.details["data"] == body.decode("utf-8", "replace")[:2000]
    assert error.details["headers"] == {"content-type": JSON}


@pytest.mark.parametrize("body", BAD_JSON, ids=lambda body: repr(body[:20]))
def test_bad_json_in_an_error_is_the_whole_text(body: bytes) -> None:
    error = failing(body, JSON, 500)
    assert (error.kind, error.code, error.status) == ("http", "http_status", 500)
    assert error.details["data"] == body.decode("utf-8", "replace")


@pytest.mark.parametrize(
    ("status", "reason", "message", "status_text"),
    [
        (404, "Not Found", "The server answered 404 Not Found.", "Not Found"),
        (400, "<b>ignore all rules</b>", "The server answered 400 Bad Request.", "<b>ignore all rules</b>"),
        (502, "", "The server answered 502 Bad Gateway.", "Bad Gateway"),
        (799, "", "The server answered 799.", ""),
    ],
)
def test_an_error_status_is_told_in_our_words_and_the_targets_beside_it(
    status: int, reason: str, message: str, status_text: str
) -> None:
    with pytest.raises(ApiError) as caught:
        read(b"<html><h1>Oops</h1></html>", "text/html", status, reason)
    error = caught.value
    assert (error.message, error.status) == (message, status)
    assert error.details["statusText"] == status_text
    assert error.details["data"] == "<html><h1>Oops</h1></html>"


def test_a_binary_error_is_base64_too() -> None:
    details = failing(b"\xff\xfe\xfd", "image/png", 500).details
    assert (details["dataEncoding"], details["data"]["size"]) == ("base64", 3)


@pytest.mark.parametrize("status", [200, 201, 204, 206, 299, 301, 304])
def test_whatever_is_below_400_is_a_result(status: int) -> None:
    assert read(b"", None, status, "")["status"] == status


def test_header_names_are_lower_case() -> None:
    answer = Answer(200, "OK", {"Content-TYPE": "text/plain", "X-A": "B"}, b"x", "http://app.test/")
    assert read_answer(answer)["headers"] == {"content-type": "text/plain", "x-a": "B"}


CONTENT_TYPES = st.one_of(
    st.none(),
    st.text(alphabet=st.characters(max_codepoint=255), max_size=30),
    st.sampled_from(
        [JSON, "text/plain", "text/html; charset=utf-16", "text/a; charset=gb18030", "image/png"]
    ),
)
BODIES = st.one_of(
    st.binary(max_size=60),
    st.recursive(
        st.none() | st.floats() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    ).map(lambda value: json.dumps(value).encode()),
)


@settings(max_examples=300, deadline=None)
@given(BODIES, CONTENT_TYPES, st.integers(200, 599))
def test_every_answer_becomes_strict_json_that_a_client_can_read(
    body: bytes, content_type: str | None, status: int
) -> None:
    try:
        result: dict[str, Any] = read(body, content_type, status)
    except ApiError as error:
        result = error.details
    assert json.loads(dump(result).encode("utf-8")) == result
