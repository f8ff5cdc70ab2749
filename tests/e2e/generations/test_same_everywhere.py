"""What is found leads on, and reads the same, whatever the tenant's generation."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from dbplanet.sandbox import entity_id
from dbplanet.sandbox.profiles import PROFILES
from e2e.tenants import Tenant
from e2e.wire import Server

READABLE = ("blog-article", "wiki-article", "page", "workspace", "app", "timeline-item")
# Reads whose answers hold nothing that differs from one tenant to the next: no times of their making.
READS: list[tuple[str, dict[str, object]]] = [
    ("Search_QuickEntity", {"query": "brück"}),
    ("People_Search", {"query": "Brückner"}),
    ("People_List", {"pageSize": 5, "page": 1}),
    ("Workspace_GetMembers", {"id": entity_id("workspace/brueckenbau")}),
    ("Event_GetMemberships", {"id": entity_id("event/brueckentag-ruhr")}),
    ("Page_GetMembers", {"id": entity_id("page/infrastruktur")}),
    ("Page_List", {"pageSize": 3}),
    ("Notification_GetStatus", {}),
]


def hits(server: Server, tenant: Tenant, query: str) -> dict[str, Mapping[str, str]]:
    result = server.call("Search_FullText", {"query": query, "pageSize": 100}, tenant.headers())
    return {hit["id"]: hit for hit in result.items()}


def body(text: str, tenant: Tenant, profile: str) -> str:
    """The content between its marks, without what is the tenant's own: its address and its name."""
    content = re.split(r"--- .*part 1 of 1, mark \w{8} ---", text)[1]
    return content.replace(tenant.url, "").replace(profile, "")


@pytest.mark.parametrize("query", ["Brücke", "Fahrplan"])
def test_a_search_finds_the_same_everywhere_and_every_hit_reads_the_same(
    one_server: Server, generations: dict[str, Tenant], query: str
):
    found = {profile: hits(one_server, tenant, query) for profile, tenant in generations.items()}
    assert list(found["classic"]) == list(found["spec"]) == list(found["modern"])
    assert len(found["spec"]) > 4
    for item, hit in found["spec"].items():
        if hit["type"] not in READABLE:
            continue
        ids = {name: hit[name] for name in ("appId", "senderId") if name in hit}
        arguments = {"contentId": item, "contentType": hit["type"], **ids}
        texts = []
        for profile, tenant in generations.items():
            result = one_server.call("Content_GetFull", arguments, tenant.headers())
            assert not result.is_error, (profile, arguments, result.text)
            assert f"link: {tenant.url}/" in result.text
            texts.append(body(result.text, tenant, profile))
        assert texts[0].strip().count("\n") > 0
        assert texts == texts[:1] * len(PROFILES), hit["title"]


@pytest.mark.parametrize(("tool", "arguments"), READS)
def test_a_read_tells_the_same_everywhere(
    one_server: Server, generations: dict[str, Tenant], tool: str, arguments: dict[str, object]
):
    texts = {
        one_server.call(tool, arguments, tenant.headers()).text.replace(profile, "")
        for profile, tenant in generations.items()
    }
    assert len(texts) == 1


@pytest.mark.parametrize("profile", PROFILES)
def test_a_text_is_read_in_another_language(one_server: Server, tenant: Tenant):
    arguments = {
        "contentId": entity_id("blog-article/fahrplanwechsel"),
        "contentType": "blog-article",
        "appId": entity_id("app/startseite/news"),
        "senderId": entity_id("page/startseite"),
    }
    german = one_server.call("Content_GetFull", arguments, tenant.headers())
    assert german.field("language") == "de"
    english = one_server.call("Content_GetFull", {**arguments, "language": "en"}, tenant.headers())
    assert english.first_line == "blog-article: Timetable change: what is new in December"
    assert "The new timetable starts" in english.text
    french = one_server.call("Content_GetFull", {**arguments, "language": "fr"}, tenant.headers())
    assert french.field("language") == "de"


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Workspace_Join", {"id": "no-such-workspace"}),
        ("Workspace_Join", {"id": entity_id("workspace/tarif-intern")}),
        ("Event_UpdateStatus", {"id": "no-such-event", "status": "yes"}),
        ("Social_GetLikes", {"targetType": "blog-article", "targetId": "no-such-article"}),
        ("Content_GetFull", {"contentId": "no", "contentType": "blog-article", "appId": "such"}),
        ("Content_GetFull", {"contentId": "no", "contentType": "page"}),
    ],
)
def test_what_is_not_there_is_not_found_on_any_generation(
    one_server: Server, tenant: Tenant, tool: str, arguments: dict[str, str]
):
    result = one_server.call(tool, arguments, tenant.headers())
    assert result.is_error
    assert result.first_line == "[404] The requested resource was not found."
    assert not [line for line in tenant.lines() if line.startswith("POST /api") and "oauth" not in line]
