"""Whatever an answer shows can be opened with the ids that it shows, as it says."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from dbplanet.sandbox import entity_id
from e2e.tenants import Tenant
from e2e.wire import Server

CONTENT_TYPES = ("blog-article", "wiki-article", "page", "workspace", "app", "timeline-item")
# What opens the types that Content_GetFull does not read.
OTHERS = {"event": "Event_Get", "user": "People_Search"}

Shown = Mapping[str, str]


def open_shown(server: Server, tenant: Tenant, kind: str, shown: Shown, *, item_id: str) -> str:
    """Open an item with nothing but what was shown of it; return its text."""
    assert kind in {*CONTENT_TYPES, *OTHERS}, f"{kind!r} is no type that a tool takes"
    if kind in CONTENT_TYPES:
        given = {name: shown[name] for name in ("appId", "senderId") if name in shown}
        tool, arguments = "Content_GetFull", {"contentId": item_id, "contentType": kind, **given}
    elif kind == "user":
        tool, arguments = OTHERS[kind], {"query": shown["title"].partition(" (user)")[0]}
    else:
        tool, arguments = OTHERS[kind], {"id": item_id}
    result = server.call(tool, arguments, tenant.headers())
    assert not result.is_error, f"{tool} {arguments}:\n{result.text}"
    return result.text


def test_a_search_finds_every_type_and_every_hit_opens(server: Server, tenant: Tenant):
    hits = list(server.call("Search_FullText", {"query": "Brücke"}, tenant.headers()).items())
    assert {hit["type"] for hit in hits} == {*CONTENT_TYPES, *OTHERS}
    for hit in hits:
        text = open_shown(server, tenant, hit["type"], hit, item_id=hit["id"])
        title = hit["title"].removesuffix(f" ({hit['type']})")
        assert hit["type"] == "timeline-item" or title in text


def test_every_hit_of_the_grouped_search_opens(server: Server, tenant: Tenant):
    for hit in server.call("Search_Grouped", {"query": "Brücke"}, tenant.headers()).items():
        open_shown(server, tenant, hit["type"], hit, item_id=hit["id"])


def test_every_entity_found_by_name_opens(server: Server, tenant: Tenant):
    tools = {"page": "Page_Get", "workspace": "Workspace_Get", "event": "Event_Get"}
    for query in ("brück", "infra"):
        for hit in server.call("Search_QuickEntity", {"query": query}, tenant.headers()).items():
            name, _, kind = hit["title"].removesuffix(")").rpartition(" (")
            if kind == "user":
                people = server.call("People_Search", {"query": name}, tenant.headers()).items()
                assert hit["id"] in {person["id"] for person in people}
            else:
                assert name in server.call(tools[kind], {"id": hit["id"]}, tenant.headers()).first_line


def test_every_item_of_the_news_opens_and_has_comments_and_likes(server: Server, tenant: Tenant):
    items = list(server.call("News_GetFeed", {"pageSize": 5}, tenant.headers()).items())
    assert len(items) == 5
    for item in items:
        assert item["title"] in open_shown(server, tenant, "blog-article", item, item_id=item["id"])
        target = {"targetType": "blog-article", "targetId": item["id"]}
        for tool, arguments in (
            ("Social_GetComments", {"targetId": item["id"]}),
            ("Social_GetLikes", target),
        ):
            assert not server.call(tool, arguments, tenant.headers()).is_error


def test_what_a_notification_is_about_opens(server: Server, tenant: Tenant):
    tools = {"event": "Event_Get", "workspace": "Workspace_Get"}
    about = list(server.call("Notification_List", {}, tenant.headers()).items())
    assert len(about) > 4
    for item in about:
        kind = item["about"]
        if kind in tools:
            assert not server.call(tools[kind], {"id": item["about id"]}, tenant.headers()).is_error
        elif kind != "user":
            open_shown(server, tenant, kind, item, item_id=item["about id"])


@pytest.mark.parametrize(
    ("kind", "place"), [("page", "infrastruktur"), ("page", "it-services"), ("workspace", "brueckenbau")]
)
def test_the_apps_that_a_place_lists_open_with_the_ids_it_shows(
    server: Server, tenant: Tenant, kind: str, place: str
):
    whole = server.call("Content_GetFull", {"contentId": place, "contentType": kind}, tenant.headers())
    apps = list(whole.items())
    assert {"wiki", "blog"} <= {app["app"] for app in apps}
    assert "senderId" in whole.text, "what a blog or wiki needs besides must be said"
    for app in apps:
        shown = {"senderId": whole.field("id"), **app}
        assert app["title"] in open_shown(server, tenant, "app", shown, item_id=app["id"])


def test_a_blog_lists_its_articles_with_how_many_there_are(server: Server, tenant: Tenant):
    articles = [{"id": f"article-{number}", "title": f"Nachricht {number}"} for number in range(20)]
    page = {"content": articles, "totalElements": 68, "totalPages": 4, "number": 0, "size": 20, "last": False}
    tenant.fault("GET .*/blog/articles$", status=200, body=json.dumps(page))
    app = {
        "contentId": entity_id("app/infrastruktur/news"),
        "contentType": "app",
        "senderId": entity_id("page/infrastruktur"),
    }
    text = server.call("Content_GetFull", app, tenant.headers()).text
    assert "article-19" in text
    assert "68" in text, "it must not look as if there were only twenty"


def test_the_own_id_from_the_profile_is_the_one_that_likes(server: Server, tenant: Tenant):
    me = server.call("People_GetMe", {}, tenant.headers()).field("id")
    target = {"targetType": "timeline-item", "targetId": entity_id("timeline-item/etcs-testfahrt")}
    for state in ("set", "removed"):
        toggled = server.call("Social_ToggleLike", {**target, "userId": me}, tenant.headers())
        assert toggled.first_line == f"The like is {state}."
