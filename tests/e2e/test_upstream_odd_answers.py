"""Successes of an odd form: empty, with a BOM, of another shape, nested deep."""

from __future__ import annotations

import re

import pytest

from e2e.tenants import Tenant
from e2e.upstream import TOOL_NAMES
from e2e.wire import Server
from support.inventory import least_arguments


@pytest.mark.parametrize("name", TOOL_NAMES)
@pytest.mark.parametrize("status", [200, 204])
def test_an_empty_answer_is_a_success_in_neutral_words(
    server: Server, tenant: Tenant, name: str, status: int
):
    tenant.fault(status=status)
    result = server.call(name, least_arguments(name), tenant.headers())
    assert not result.is_error, result.text
    assert not re.search(r"None|null|undefined|\{|<", result.text)


def test_json_with_a_byte_order_mark_is_read(server: Server, tenant: Tenant):
    tenant.fault(status=200, body='\ufeff{"displayName": "Müller"}', content_type="application/json")
    assert server.call("Page_Get", {"id": "x"}, tenant.headers()).first_line == "Page: Müller"


@pytest.mark.parametrize("content_type", ["application/json", "text/plain", "application/hal+json", ""])
def test_json_is_utf8_whatever_its_type_says(server: Server, tenant: Tenant, content_type: str):
    tenant.fault(status=200, body='{"displayName": "Gleis 9¾ – Süd"}', content_type=content_type)
    assert server.call("Page_Get", {"id": "x"}, tenant.headers()).first_line == "Page: Gleis 9¾ – Süd"


@pytest.mark.parametrize(
    "body", ["[]", "{}", "null", "42", '"text"', "[1, null, {}]", '{"content": [{"id": 5}]}']
)
def test_json_of_another_shape_breaks_nothing(server: Server, tenant: Tenant, body: str):
    tenant.fault(status=200, body=body)
    for name in TOOL_NAMES:
        result = server.call(name, least_arguments(name), tenant.headers())
        assert "fault of the MCP server" not in result.text, (name, result.text)


@pytest.mark.parametrize("depth", [200, 900])
@pytest.mark.parametrize("opening", ['{"content":', '{"rows":', "["])
def test_deep_json_ends_in_an_answer(server: Server, tenant: Tenant, depth: int, opening: str):
    closing = "]" if opening == "[" else "}"
    tenant.fault(status=200, body=opening * depth + "1" + closing * depth)
    for name in ("News_GetFeed", "Page_Get", "Content_GetFull"):
        result = server.call(name, least_arguments(name), tenant.headers())
        assert "fault of the MCP server" not in result.text, (name, result.text)
