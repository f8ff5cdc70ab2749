"""A limit on a result's text cuts the data, says so, and leaves JSON that is whole."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbplanet.httpapi.errors import ApiError
from dbplanet.httpapi.results import Presenter
from dbplanet.mcp.results import ToolResult

LIMIT = 1000


def answer(data: Any, **more: Any) -> dict[str, Any]:
    return {"status": 200, "statusText": "OK", "headers": {"a": "b"}, "data": data, **more}


def read(result: ToolResult) -> dict[str, Any]:
    text = result.content[0]["text"]
    assert len(text) <= LIMIT
    value: dict[str, Any] = json.loads(text)
    assert value == result.structured
    return value


@pytest.mark.parametrize("limit", [None, LIMIT])
def test_what_fits_and_what_has_no_limit_stays_whole(limit: int | None) -> None:
    data = ["x" * 100] * (8 if limit else 800)
    assert Presenter(limit).result(answer(data)).structured == answer(data)


@pytest.mark.parametrize(
    "data", ["x" * 5000, '"' * 5000, "\x01" * 5000, "😀" * 5000, ("\x01" + "x" * 99) * 50]
)
def test_long_text_keeps_as_much_as_fits(data: str) -> None:
    result = Presenter(LIMIT).result(answer(data))
    value = read(result)
    assert data.startswith(value["data"])
    assert len(result.content[0]["text"]) > LIMIT * 0.9
    assert f"the first {len(value['data'])} of 5000 characters" in value["dataTruncated"]


def test_long_json_becomes_the_beginning_of_its_text() -> None:
    data = [{"id": number} for number in range(1000)]
    value = read(Presenter(LIMIT).result(answer(data)))
    assert json.dumps(data, separators=(",", ":")).startswith(value["data"])
    assert value["status"] == 200


def test_long_base64_can_still_be_decoded() -> None:
    raw = bytes(range(256)) * 20
    data = {
        "encoding": "base64",
        "contentType": "image/png",
        "size": len(raw),
        "base64": base64.b64encode(raw).decode(),
    }
    value = read(Presenter(LIMIT).result(answer(data, dataEncoding="base64")))
    assert raw.startswith(base64.b64decode(value["data"]["base64"], validate=True))
    assert value["data"]["size"] == len(raw)


def test_a_long_error_page_is_cut_in_the_error() -> None:
    error = ApiError(
        "http", "http_status", "The server answered 500.", status=500, details={"data": "x" * 5000}
    )
    result = Presenter(LIMIT).failure(error)
    details = read(result)["error"]["details"]
    assert (details["code"], result.is_error) == ("http_status", True)
    assert details["data"].startswith("xxx")
    assert "of 5000" in details["dataTruncated"]


def test_headers_are_never_cut() -> None:
    whole = {**answer("x" * 5000), "headers": {"long": "y" * 2000}}
    value = Presenter(LIMIT).result(whole).structured
    assert (value["data"], value["headers"]) == ("", {"long": "y" * 2000})


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=40).map(lambda text: text * 100), st.lists(st.text(), min_size=20)))
def test_any_data_is_cut_to_fit(data: Any) -> None:
    read(Presenter(LIMIT).result(answer(data)))
