"""Property 2 end to end: paging reaches the tenant when it is given, and only then."""

from __future__ import annotations

from typing import Any

import pytest

from dbplanet.sandbox import entity_id
from e2e.tenants import ME, TOKEN, Tenant
from e2e.wire import Server

WORKSPACE = entity_id("workspace/brueckenbau")
EVENT = entity_id("event/brueckentag-ruhr")
ARTICLE = entity_id("blog-article/brueckenprogramm")

# tool → what it needs besides, and what that becomes in the query
PAGED: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "Search_FullText": ({"query": "Brücke"}, {"term": "Brücke"}),
    "News_GetFeed": ({}, {}),
    "People_List": ({}, {}),
    "Notification_List": ({}, {}),
    "Workspace_List": ({}, {}),
    "Workspace_GetMembers": ({"id": WORKSPACE}, {}),
    "Event_GetMemberships": ({"id": EVENT}, {}),
    "Social_GetComments": ({"targetId": ARTICLE}, {"targetId": ARTICLE}),
    "Page_List": ({}, {}),
}

GIVEN: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({}, {}),
    ({"page": None, "pageSize": None}, {}),
    ({"page": 0}, {"_page": "0"}),
    ({"pageSize": 2}, {"_pageSize": "2"}),
    ({"page": "1", "pageSize": "2"}, {"_page": "1", "_pageSize": "2"}),
]


def query_of(tenant: Tenant) -> dict[str, str]:
    """Return the query of the one request besides token and profile."""
    (seen,) = [seen for seen in tenant.journal() if seen.line not in (TOKEN, ME)]
    return seen.query


@pytest.mark.parametrize("tool", PAGED)
@pytest.mark.parametrize(("given", "forwarded"), GIVEN, ids=str)
def test_paging_is_forwarded_when_given_and_absent_when_not(
    server: Server, tenant: Tenant, tool: str, given: dict[str, Any], forwarded: dict[str, str]
):
    needed, query = PAGED[tool]
    result = server.call(tool, {**needed, **given}, tenant.headers())
    assert not result.is_error, result.text
    assert query_of(tenant) == {**query, **forwarded}


def test_pages_follow_one_another_and_the_last_offers_none(server: Server, tenant: Tenant):
    headers = tenant.headers()
    total = int(
        server.call("People_List", {"pageSize": 1}, headers).first_line.split(" of ")[1].split(".")[0]
    )
    assert total > 25
    ids: list[str] = []
    pages = -(-total // 20)
    for page in range(pages):
        listed = server.call("People_List", {"page": page} if page else {}, headers)
        first, last = page * 20 + 1, min(page * 20 + 20, total)
        more = f" Next page: page={page + 1}." if page + 1 < pages else ""
        assert listed.first_line == f"People: {first}–{last} of {total}.{more}"
        ids += [item["id"] for item in listed.items()]
    assert len(set(ids)) == total


def test_a_page_beyond_the_last_says_how_much_there_is(server: Server, tenant: Tenant):
    beyond = server.call("People_List", {"page": 999}, tenant.headers())
    assert not beyond.is_error
    assert beyond.first_line.startswith("People: none on this page, ")
    assert "Next page" not in beyond.text


@pytest.mark.parametrize(
    ("name", "value"),
    [("page", -1), ("page", 1.5), ("page", True), ("page", "1,000"), ("page", "0x10"), ("pageSize", 0)],
)
def test_a_page_that_is_no_number_is_refused_by_name_before_any_request(
    server: Server, tenant: Tenant, name: str, value: Any
):
    refused = server.call("News_GetFeed", {name: value}, tenant.headers())
    assert refused.is_error
    assert refused.first_line.startswith(f"[400] Invalid arguments: {name}: ")
    assert tenant.journal() == []
