"""Three generations of one tenant: which paths each has, and what they ask for."""

from __future__ import annotations

import pytest

from dbplanet.sandbox import CREDENTIALS, entity_id
from dbplanet.sandbox.profiles import PROFILES

ARTICLE, NEWS = entity_id("blog-article/brueckenprogramm"), entity_id("app/infrastruktur/news")
LAYOUT = f"app-blog-{NEWS}-{ARTICLE}"
WORKSPACE, EVENT = entity_id("workspace/brueckenbau"), entity_id("event/brueckentag-ruhr")
ANNA = entity_id("user/anna.schmidt")
LIKES = f"/api/like-targets/blog-article/{ARTICLE}"
REACTIONS = f"/api/reaction-targets/blog-article/{ARTICLE}/reactions"

# path → the profiles that have it
PATHS = {
    "GET /api/search?term=x": {"spec", "classic"},
    "GET /api/search/grouped?term=x": {"spec"},
    "GET /api/global-search?searchTerm=x": {"modern"},
    "GET /api/quick-entity-search?term=x": {"spec", "modern"},
    "GET /api/senders/search?term=x": {"classic"},
    "GET /api/users/chooser/search?term=x": {"spec", "modern"},
    "GET /web/blog/newsfeed": {"spec", "modern"},
    f"PUT /api/workspaces/{WORKSPACE}/members/join": {"spec", "modern"},
    f"PUT /api/workspaces/{WORKSPACE}/users/join": {"classic"},
    "PUT /api/notifications/mark-seen": {"spec", "modern"},
    "PUT /api/notifications/action/mark-seen?category=ACTIVITY": {"classic"},
    f"GET {LIKES}": {"spec", "classic"},
    f"POST {LIKES}/likes/{ANNA}": {"spec", "classic"},
    f"DELETE {LIKES}/likes/{ANNA}": {"spec", "classic"},
    "GET /api/reaction-targets/types": {"modern"},
    f"GET /api/reaction-targets/blog-article?ids={ARTICLE}": {"modern"},
    f"GET {REACTIONS}": {"modern"},
    f"GET /api/blog-article/{ARTICLE}/widgets/{LAYOUT}": {"spec"},
    f"GET /web/blog-article/{ARTICLE}/widgets/{LAYOUT}": {"spec", "modern"},
    f"GET /api/widget-layouts/{LAYOUT}": {"classic"},
    "GET /api/widgets/page-content?parentId=startseite&parentType=page": {"classic"},
    "GET /api/workspaces": {"spec", "classic", "modern"},
}
# path → the profiles in which it wants more than the specification gives
DEMANDS = {
    "GET /api/notifications": ({"classic"}, ["category"]),
    f"GET /api/comments?targetId={ARTICLE}": ({"classic", "modern"}, ["targetType"]),
}


@pytest.fixture
def anna(make_sandbox, person, profile):
    return person(make_sandbox(profile=profile).test_client(), CREDENTIALS)


@pytest.mark.parametrize("profile", PROFILES)
def test_each_profile_has_its_paths_and_no_other(anna, profile):
    for line, profiles in PATHS.items():
        method, path = line.split(" ", 1)
        status = anna.call(method, path).status_code
        assert (status in (200, 204)) == (profile in profiles), (line, status)
        assert profile in profiles or status in (404, 405), (line, status)


@pytest.mark.parametrize("profile", PROFILES)
def test_what_a_generation_demands_is_refused_by_name(anna, profile):
    for line, (profiles, fields) in DEMANDS.items():
        method, path = line.split(" ", 1)
        if profile in profiles:
            assert anna.refused(method, path) == (400, "INVALID_ARGUMENTS", fields)
        else:
            assert anna.call(method, path).status_code == 200


@pytest.mark.parametrize("profile", ["classic", "modern"])
def test_a_comment_needs_its_type_and_author(anna):
    body = {"targetId": ARTICLE, "message": "Ja"}
    refused = anna.refused("POST", "/api/comments", json=body)
    assert refused == (400, "INVALID_ARGUMENTS", ["targetType", "authorId"])
    assert anna.post("/api/comments", {**body, "targetType": "blog-article", "authorId": ANNA})["id"]


@pytest.mark.parametrize("profile", ["classic"])
def test_an_event_is_answered_at_its_status(anna):
    anna.put(f"/api/events/{EVENT}/status", {"status": "ATTENDING"})
    assert anna.get(f"/api/events/{EVENT}")["status"] == "ATTENDING"
    refused = anna.refused("PUT", f"/api/events/{EVENT}/memberships/status", json={"status": "ATTENDING"})
    assert refused[0] == 404


@pytest.mark.parametrize("profile", ["classic"])
def test_notifications_come_and_are_seen_by_category(anna):
    for category in ("ACTIVITY", "DISCUSSION"):
        found = anna.get("/api/notifications", category=category)["content"]
        assert {notification["category"] for notification in found} == {category}
    assert anna.refused("PUT", "/api/notifications/action/mark-seen")[2] == ["category"]
    anna.call("PUT", "/api/notifications/action/mark-seen?category=ACTIVITY")
    unseen = anna.get("/api/notifications/status")["unseen"]
    assert unseen["ACTIVITY"] == 0
    assert unseen["DISCUSSION"] > 0


@pytest.mark.parametrize("profile", ["classic"])
def test_an_old_layout_has_its_widgets_in_slots(anna):
    bare = anna.get(f"/api/widget-layouts/{LAYOUT}")
    assert bare["name"] == LAYOUT
    assert "widgets" not in bare
    whole = anna.get(f"/api/widget-layouts/{LAYOUT}", includeWidgets="true")
    slots = [
        f"layout-{LAYOUT}-slot-{slot['name']}" for row in whole["settings"]["rows"] for slot in row["slots"]
    ]
    assert slots == list(whole["widgets"])
    assert [widget["key"] for slot in slots for widget in whole["widgets"][slot]][:2] == ["headline", "rte"]


@pytest.mark.parametrize("profile", ["classic"])
def test_a_slot_is_an_array_of_widgets(anna):
    place = {"parentId": entity_id("page/startseite"), "parentType": "page"}
    assert anna.get("/api/widgets/page-content", **place)[0]["key"] == "welcome"
    assert anna.get("/api/widgets/page-sidebar-top", **place) == []
    assert anna.get("/api/widgets/nothing", **place) == []
    assert anna.refused("GET", "/api/widgets/page-content")[2] == ["parentId", "parentType"]


@pytest.mark.parametrize("profile", ["classic"])
@pytest.mark.parametrize(
    "name", ["page-content", "nothing", f"app-content-{entity_id('app/notfallmanagement/x')}"]
)
def test_a_layout_that_is_not_there_is_404(anna, name):
    assert anna.refused("GET", f"/api/widget-layouts/{name}")[:2] == (404, "NOT_FOUND")


@pytest.mark.parametrize("profile", ["modern"])
def test_the_global_search_pages_and_counts(anna):
    first = anna.get("/api/global-search", searchTerm="Brücke", size=2)
    second = anna.get("/api/global-search", searchTerm="Brücke", size=2, page=1, skipAggregations="true")
    assert (first["number"], second["number"], second["size"]) == (0, 1, 2)
    assert sum(bucket["count"] for bucket in first["aggregations"]["type"]) == first["totalElements"]
    assert "aggregations" not in second
    assert {hit["id"] for hit in first["content"]}.isdisjoint(hit["id"] for hit in second["content"])
    assert anna.refused("GET", "/api/global-search", query_string={"term": "x"})[2] == ["searchTerm"]


@pytest.mark.parametrize("profile", ["modern"])
def test_reactions_are_listed_and_counted(anna):
    page = anna.get(REACTIONS)
    assert page["totalElements"] == 5
    assert {"sender", "reactionType"} == set(page["content"][0])
    counts = anna.get("/api/reaction-targets/blog-article", ids=ARTICLE)[ARTICLE]["allReactionsByCount"]
    assert sum(count["count"] for count in counts) == 5
    types = {kind["reactionType"] for kind in anna.get("/api/reaction-targets/types")}
    assert {count["reactionType"] for count in counts} <= types


@pytest.mark.parametrize("profile", ["spec"])
def test_pages_may_be_narrowed_to_those_one_follows(anna):
    followed = {page["slug"] for page in anna.get("/api/pages", filters="status=SUBSCRIBED")["content"]}
    every = {page["slug"] for page in anna.get("/api/pages", _pageSize=1000)["content"]}
    assert "startseite" in followed, "all people follow it"
    assert followed < every
