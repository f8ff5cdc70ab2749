"""Prefixes, the page envelope, sorting, permissions and error bodies (haiilo-api.md §3)."""

from __future__ import annotations

import pytest

from dbplanet.sandbox import CREDENTIALS, entity_id

ENVELOPE = {
    *("content", "totalElements", "totalPages", "number", "size", "numberOfElements"),
    *("first", "last", "sort", "pageable", "empty"),
}
LISTS = [
    "/users",
    "/workspaces",
    "/pages",
    "/events",
    "/notifications",
    "/blog/newsfeed",
    "/users/chooser/search",
]


@pytest.mark.parametrize("path", LISTS)
def test_every_list_is_a_page_under_api_and_web(anna, path):
    page = anna.get(f"/api{path}")
    assert set(page) == ENVELOPE
    assert page == anna.get(f"/web{path}")
    assert (page["number"], page["size"], page["first"], page["empty"]) == (0, 20, True, False)


def test_pages_are_zero_based_and_end_with_last(anna):
    pages, number = [], 0
    while True:
        page = anna.get("/api/users", _page=number, _pageSize=8)
        pages.append(page)
        if page["last"]:
            break
        number += 1
    ids = [user["id"] for page in pages for user in page["content"]]
    assert len(ids) == len(set(ids)) == pages[0]["totalElements"] >= 30
    assert pages[0]["totalPages"] == len(pages)
    assert [page["first"] for page in pages] == [True] + [False] * (len(pages) - 1)
    assert pages[-1]["numberOfElements"] == len(pages[-1]["content"])


def test_a_page_beyond_the_end_is_empty(anna):
    page = anna.get("/api/users", _page=99)
    assert (page["content"], page["empty"], page["last"], page["number"]) == ([], True, True, 99)


def test_offset_goes_before_the_page_number(anna):
    all_users = anna.get("/api/users", _pageSize=100)["content"]
    shown = anna.get("/api/users", _page=0, _pageSize=5, _offset=7)["content"]
    assert shown == all_users[7:12]


@pytest.mark.parametrize(
    "query",
    [
        {"_page": "-1"},
        {"_page": "x"},
        {"_page": "1.5"},
        {"_page": ""},
        {"_page": "²"},
        {"_pageSize": "0"},
        {"_pageSize": "-5"},
        {"_pageSize": "ten"},
        {"_orderBy": "shoeSize,DESC"},
        {"_orderBy": "DESC"},
    ],
)
def test_a_bad_page_or_sort_key_is_400(anna, query):
    assert anna.refused("GET", "/api/users", query_string=query) == (400, "INVALID_ARGUMENTS", list(query))


def test_a_list_is_sorted_as_asked(anna):
    users = anna.get("/api/users", _orderBy="lastname.sort,firstname.sort", _pageSize=100)
    names = [user["lastname"] for user in users["content"]]
    assert names.index("Öhlschläger") < names.index("Papadakis")
    assert users["sort"] == {"sorted": True, "unsorted": False, "empty": False}
    newest = anna.get("/web/blog/newsfeed", _orderBy="publishDate,created,desc")["content"]
    dates = [article["publishDate"] for article in newest]
    assert dates == sorted(dates, reverse=True)


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/no-such-route", 404, "NOT_FOUND"),
        ("GET", "/nowhere", 404, "NOT_FOUND"),
        ("GET", "/api/workspaces/", 404, "NOT_FOUND"),
        ("DELETE", "/api/workspaces", 405, "ERROR"),
        ("PUT", "/api/search", 405, "ERROR"),
        ("GET", "/api/oauth/token", 405, "ERROR"),
        ("OPTIONS", "/api/users", 405, "ERROR"),
    ],
)
def test_unknown_routes_and_methods_are_answered_in_json(anna, method, path, status, code):
    assert anna.refused(method, path) == (status, code, [])


@pytest.mark.parametrize("type_name", ["workspace", "page", "event", "user"])
def test_an_entity_that_is_not_there_is_404_and_named_by_type(anna, type_name):
    answer = anna.call("GET", f"/api/{type_name}s/00000000-0000-4000-8000-000000000000")
    assert answer.status_code == 404
    assert answer.json["context"] == {"entityType": type_name}


@pytest.mark.parametrize("path", ["/web/workspaces", "/web/comments", "/web/notifications/mark-seen"])
def test_writes_on_web_need_a_session_and_are_403(anna, path):
    assert anna.refused("POST", path, json={})[0] == 403


@pytest.mark.parametrize("body", ["", "{", "[]", '"x"', '{"message": "\\ud800"}'])
def test_a_body_that_is_no_json_object_is_400(anna, body):
    assert anna.refused("POST", "/api/comments", data=body) == (400, "INVALID_ARGUMENTS", [])
    assert anna.client.get("/__sandbox__/requests").status_code == 200


def test_permissions_come_only_when_asked_for(anna):
    path = "/api/workspaces/redaktion-intranet"
    assert "_permissions" not in anna.get(path)
    assert anna.get(path, _permissions="manage,fly")["_permissions"] == {"manage": True, "fly": False}
    everything = anna.get(path, _permissions="*")["_permissions"]
    assert everything["delete"] is True
    assert anna.get("/api/workspaces/brueckenbau", _permissions="manage")["_permissions"] == {"manage": False}


def test_nothing_internal_is_shown(anna):
    text = anna.call("GET", "/api/users").get_data(as_text=True)
    assert '"_' not in text
    assert "sandbox-only" not in text
    assert "Öhlschläger" in text, "JSON is UTF-8, not escaped"


def test_ids_are_the_same_in_every_sandbox_and_names_are_the_tenants(make_sandbox, person):
    for tenant in ("Nord", 'Süd "2"'):
        anna = person(make_sandbox(tenant, tenant=tenant).test_client(), CREDENTIALS)
        page = anna.get("/api/pages/startseite")
        assert (page["id"], page["name"]) == (entity_id("page/startseite"), f"Willkommen bei {tenant}")
        assert anna.get("/api/users/me")["tenant"] == tenant


def test_state_outlives_the_application_and_is_not_seeded_twice(make_sandbox, person):
    first = person(make_sandbox().test_client(), CREDENTIALS)
    first.put("/api/workspaces/brueckenbau/members/join")
    again = person(make_sandbox().test_client(), CREDENTIALS)
    assert again.get("/api/workspaces/brueckenbau")["membershipStatus"] == "APPROVED"
    assert again.get("/api/users")["totalElements"] == first.get("/api/users")["totalElements"]


def test_an_unknown_profile_is_refused_by_name(make_sandbox):
    with pytest.raises(ValueError, match=r"unknown profile 'future'; known: spec"):
        make_sandbox(profile="future")
