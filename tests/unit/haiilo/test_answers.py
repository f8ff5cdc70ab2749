from dataclasses import dataclass, field

import pytest

from dbplanet.haiilo.answers import decode_text, read_json
from dbplanet.haiilo.errors import AnswerError, StatusError


@dataclass
class Answer:
    body: bytes = b""
    status: int = 200
    headers: dict = field(default_factory=dict)


@pytest.mark.parametrize(
    "answer",
    [Answer(status=204), Answer(), Answer(b" \n"), Answer(b"null"), Answer(b"null", 201)],
)
def test_an_answer_without_content_is_a_success(answer):
    assert read_json(answer) is None


@pytest.mark.parametrize(
    "body",
    [
        '{"a": "Müller"}'.encode(),
        b"\xef\xbb\xbf" + '{"a": "Müller"}'.encode(),
        '{"a": "Müller"}'.encode("latin-1"),
        b'{"a": "M\\u00fcller"}',
    ],
)
def test_json_is_read_in_every_encoding_that_is_seen(body):
    assert read_json(Answer(body)) == {"a": "Müller"}


def test_text_without_a_charset_is_utf_8():
    assert (
        decode_text(Answer("<p>Müller</p>".encode(), headers={"Content-Type": "text/html"}))
        == "<p>Müller</p>"
    )


def test_a_declared_charset_comes_second():
    headers = {"Content-Type": 'text/html; charset="windows-1252"'}
    assert decode_text(Answer("„Müller“".encode("windows-1252"), headers=headers)) == "„Müller“"


@pytest.mark.parametrize("charset", ["nonsense", "base64", "utf-16"])
def test_a_charset_that_does_not_fit_is_no_fault(charset):
    headers = {"Content-Type": f"text/html; charset={charset}"}
    assert decode_text(Answer(b"M\xfcller!", headers=headers))


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"<html>sign in</html>", "text/html"),
        (b"{bad", "application/json"),
        (b"[" * 30_000, "application/json"),
    ],
    ids=["html", "json", "deep"],
)
def test_what_is_not_json_is_an_error_that_names_the_content_type(body, kind):
    with pytest.raises(AnswerError, match=kind):
        read_json(Answer(body, headers={"Content-Type": f"{kind}; charset=utf-8"}))


@pytest.mark.parametrize("body", [b"", b"<html>", b'{"errorStatus": "LOCKED"}', b"[" * 30_000])
def test_another_status_is_an_error_with_the_body_that_can_be_read(body):
    with pytest.raises(StatusError) as caught:
        read_json(Answer(body, 423))
    assert caught.value.status == 423
    assert caught.value.body in (None, {"errorStatus": "LOCKED"})
