"""The table of forms: what is asked of a tenant that lacks the specification's path."""

import json

import pytest

from support.mcp import call_tool, make_app, text_of
from support.tenant import StubTenant

MISSING = (404, '{"errorStatus": "NOT_FOUND"}')
DEMANDED = (
    400,
    '{"errorStatus": "INVALID_ARGUMENTS", "fieldErrors": [{"key": "targetType", "code": "NotNull"}]}',
)
LAYOUT = {"rows": [[{"widgets": [{"key": "rte", "settings": {"html_content": "<p>Der Text</p>"}}]}]]}
CLASSIC_LAYOUT = {
    "name": "app-blog-b1-a1",
    "settings": {"rows": [{"name": "r", "slots": [{"name": "s", "cols": 12}]}]},
    "widgets": {"layout-app-blog-b1-a1-slot-s": LAYOUT["rows"][0][0]["widgets"]},
}
ARTICLE = {"contentId": "a1", "contentType": "blog-article", "appId": "b1"}
LIKES = {"targetType": "blog-article", "targetId": "a1"}


def page_of(*items, total=None):
    return {"content": list(items), "totalElements": len(items) if total is None else total, "last": True}


def ask(name, arguments, routes, app=None):
    """Call a tool against a tenant that knows ``routes``: "METHOD path" → answer, or a callable for it."""

    def answer(method, path):
        found = routes.get(f"{method} {path}", MISSING)
        found = found(dict(tenant.asked[-1].query)) if callable(found) else found
        return found if isinstance(found, tuple) else (200, json.dumps(found))

    with StubTenant(answer) as tenant:
        result = call_tool(app or make_app(), name, arguments)
    return result, text_of(result), tenant


# tool, arguments, what the tenant knows, what it is asked in order
FORMS = [
    (
        "Search_FullText",
        {"query": "x"},
        {"GET /api/global-search": page_of()},
        ["/api/search", "/api/global-search"],
    ),
    (
        "Search_Grouped",
        {"query": "x"},
        {"GET /api/search": page_of()},
        ["/api/search/grouped", "/api/search"],
    ),
    (
        "Search_Grouped",
        {"query": "x"},
        {"GET /api/global-search": page_of()},
        ["/api/search/grouped", "/api/search", "/api/global-search"],
    ),
    (
        "Search_QuickEntity",
        {"query": "x"},
        {"GET /api/senders/search": page_of()},
        ["/api/quick-entity-search", "/api/senders/search"],
    ),
    (
        "Search_QuickEntity",
        {"query": "x"},
        {"GET /api/users": page_of()},
        ["/api/quick-entity-search", "/api/senders/search", "/api/users"],
    ),
    (
        "People_Search",
        {"query": "x"},
        {"GET /api/users": page_of()},
        ["/api/users/chooser/search", "/api/users"],
    ),
    (
        "Workspace_Join",
        {"id": "w1"},
        {"GET /api/workspaces/w1": {}, "PUT /api/workspaces/w1/users/join": {}},
        ["/api/workspaces/w1/members/join", "/api/workspaces/w1", "/api/workspaces/w1/users/join"],
    ),
    (
        "Event_UpdateStatus",
        {"id": "e1", "status": "yes"},
        {"GET /api/events/e1": {}, "PUT /api/events/e1/status": {}},
        ["/api/events/e1/memberships/status", "/api/events/e1", "/api/events/e1/status"],
    ),
    (
        "Notification_List",
        {},
        {"GET /api/notifications": lambda query: page_of() if "category" in query else DEMANDED},
        ["/api/notifications"] * 3,
    ),
    (
        "Notification_MarkSeen",
        {},
        {"PUT /api/notifications/action/mark-seen": {}},
        ["/api/notifications/mark-seen", *["/api/notifications/action/mark-seen"] * 2],
    ),
    (
        "Social_GetLikes",
        LIKES,
        {"GET /api/reaction-targets/blog-article/a1/reactions": page_of()},
        ["/api/like-targets/blog-article/a1", "/api/reaction-targets/blog-article/a1/reactions"],
    ),
    (
        "Content_GetFull",
        ARTICLE,
        {"GET /web/blog-article/a1/widgets/app-blog-b1-a1": LAYOUT},
        [f"/{root}/blog-article/a1/widgets/app-blog-b1-a1" for root in ("api", "web")],
    ),
    (
        "Content_GetFull",
        ARTICLE,
        {"GET /api/widget-layouts/app-blog-b1-a1": CLASSIC_LAYOUT},
        [
            *(f"/{root}/blog-article/a1/widgets/app-blog-b1-a1" for root in ("api", "web")),
            "/api/widget-layouts/app-blog-b1-a1",
        ],
    ),
    (
        "Content_GetFull",
        ARTICLE,
        {"GET /api/widgets/app-blog-b1-a1": LAYOUT["rows"][0][0]["widgets"]},
        [
            *(f"/{root}/blog-article/a1/widgets/app-blog-b1-a1" for root in ("api", "web")),
            "/api/widget-layouts/app-blog-b1-a1",
            "/api/widgets/app-blog-b1-a1",
        ],
    ),
]


@pytest.mark.parametrize(("name", "arguments", "routes", "paths"), FORMS)
def test_the_forms_are_tried_in_their_order(name, arguments, routes, paths):
    result, text, tenant = ask(name, arguments, routes)
    assert not result["isError"], text
    assert [asked.path for asked in tenant.asked] == paths
    assert "Der Text" in text or name != "Content_GetFull"


@pytest.mark.parametrize(("name", "arguments", "routes", "paths"), FORMS)
def test_what_was_found_serves_every_client_of_the_application(name, arguments, routes, paths):
    app = make_app()
    ask(name, arguments, routes, app)
    _, _, tenant = ask(name, arguments, routes, app)
    assert {asked.path for asked in tenant.asked} == {paths[-1]}


@pytest.mark.parametrize(("name", "arguments", "routes", "paths"), FORMS)
def test_another_application_knows_nothing_of_it(name, arguments, routes, paths):
    ask(name, arguments, routes)
    _, _, tenant = ask(name, arguments, routes)
    assert [asked.path for asked in tenant.asked] == paths


def test_the_global_search_has_its_own_names():
    arguments = {"query": "Brücke", "page": 2, "pageSize": 5, "type": "page"}
    _, _, tenant = ask("Search_FullText", arguments, {"GET /api/global-search": page_of()})
    query = dict(tenant.asked[-1].query)
    assert query["searchTerm"] == "Brücke"
    assert (query["page"], query["size"], query["_page"], query["_pageSize"]) == ("2", "5", "2", "5")
    assert (query["operator"], query["skipAggregations"]) == ("AND", "true")
    assert query["filters"] == "type=page"
    assert "term" not in query


@pytest.mark.parametrize("field", ["content", "results", "items", "page"])
def test_the_hits_of_the_global_search_may_stand_below_a_field(field):
    hits = page_of(hit("page", 1), total=1)
    found = hits if field == "content" else {field: hits} if field == "page" else {field: hits["content"]}
    _, text, _ = ask("Search_FullText", {"query": "x"}, {"GET /api/global-search": found})
    assert "1. page 1 (page)\n   id: page-1" in text


LACKING = [
    ("Search_FullText", {"query": "x"}, "Search_QuickEntity"),
    ("Search_Grouped", {"query": "x"}, "Search_QuickEntity"),
    ("Search_QuickEntity", {"query": "x"}, "Search_FullText"),
    ("People_Search", {"query": "x"}, "Search_FullText with type user"),
    ("News_GetFeed", {}, "Search_FullText with type blog-article"),
    ("Notification_List", {}, "News_GetFeed"),
    ("Notification_MarkSeen", {}, "in the browser"),
]


@pytest.mark.parametrize(("name", "arguments", "instead"), LACKING)
def test_where_no_form_is_known_the_answer_says_what_to_use_instead(name, arguments, instead):
    result, text, _ = ask(name, arguments, {})
    assert result["isError"]
    assert text.startswith("[404] The requested resource was not found.\nThis DB Planet lets ")
    assert instead in text


def hit(kind, number):
    return {
        "typeName": kind,
        "displayName": f"{kind} {number}",
        "target": {"params": {"id": f"{kind}-{number}"}},
    }


def test_groups_are_made_of_a_search_and_its_counts():
    hits = [hit("page", number) for number in range(5)] + [hit("event", 0)]
    counts = [{"key": "page", "count": 17}, {"key": "event", "count": 1}, {"key": "file", "count": 4}]
    found = {**page_of(*hits, total=22), "aggregations": {"type": counts}}
    _, text, tenant = ask("Search_Grouped", {"query": "x"}, {"GET /api/search": found})
    assert dict(tenant.asked[-1].query)["aggregations"].startswith("type=")
    assert text.startswith("Search results for “x” by type: 3 types.")
    assert "## page: 1–3 of 17" in text
    assert "## event: 1–1 of 1" in text
    assert "## file: 4, none among the best hits" in text
    assert "page-3" not in text


@pytest.mark.parametrize(("last", "shown"), [(True, "## page: 1–2 of 2"), (False, "## page: 1–2\n")])
def test_counts_are_invented_for_nobody(last, shown):
    found = {"content": [hit("page", 0), hit("page", 1)], "last": last}
    _, text, _ = ask("Search_Grouped", {"query": "x"}, {"GET /api/search": found})
    assert shown in text


def notifications(query):
    if "category" not in query:
        return DEMANDED
    first, size = int(query.get("_page", 0)) * int(query["_pageSize"]), int(query["_pageSize"])
    odd = query["category"] == "ACTIVITY"
    every = [{"id": f"n{n}", "typeName": "task", "created": 1000 - n} for n in range(300) if n % 2 == odd]
    return {
        "content": every[first : first + size],
        "totalElements": len(every),
        "last": first + size >= len(every),
    }


@pytest.mark.parametrize(("page", "size"), [(0, 3), (1, 3), (4, 20), (1, 150), (2, 140), (3, 100)])
def test_notifications_of_both_categories_are_one_list_by_time(page, size):
    _, text, _ = ask(
        "Notification_List", {"page": page, "pageSize": size}, {"GET /api/notifications": notifications}
    )
    first, last = page * size, min((page + 1) * size, 300)
    ids = [line.removeprefix("   id: ") for line in text.splitlines() if line.startswith("   id: ")]
    assert ids == [f"n{number}" for number in range(first, last)]
    if first < 300:
        assert text.startswith(f"Notifications: {first + 1}–{last} of 300.")
    assert ("Next page" in text) == (last < 300)


def test_a_page_too_deep_to_merge_is_refused_by_name():
    arguments = {"page": 50, "pageSize": 20}
    result, text, _ = ask("Notification_List", arguments, {"GET /api/notifications": notifications})
    assert result["isError"]
    assert text.startswith("[400] Invalid arguments: page: 50 is too far on")


BLOG = {"id": "b1", "key": "blog", "name": "Neues"}
NEWS = {
    "GET /api/pages": lambda query: page_of(
        {"id": "p1", "displayName": "Bau", "topApps": [BLOG, {"id": "w1", "key": "wiki"}]},
        {"id": "p2", "displayName": "Zu", "topApps": [{"id": "b2", "key": "blog"}]},
    ),
    "GET /api/senders/p1/apps/b1/blog/articles": page_of(
        {"id": "a1", "title": "Alt", "publishDate": 1}, {"id": "a2", "title": "Neu", "publishDate": 9}
    ),
    "GET /api/senders/p2/apps/b2/blog/articles": (403, "{}"),
}


def test_news_are_put_together_from_the_blogs_of_the_users_pages():
    result, text, tenant = ask("News_GetFeed", {"pageSize": 5}, NEWS)
    assert not result["isError"]
    assert dict(tenant.asked[1].query)["filters"] == "status=SUBSCRIBED"
    assert text.startswith(
        "News: 1–2 of 2.\n\n1. Neu\n   id: a2\n   appId: b1\n   senderId: p1\n   in: Bau\n"
    )
    assert "no news feed: these are the articles of 2 blogs" in text


def test_who_follows_no_page_has_the_news_of_all():
    pages = NEWS["GET /api/pages"]
    routes = {**NEWS, "GET /api/pages": lambda query: page_of() if "filters" in query else pages(query)}
    _, text, _ = ask("News_GetFeed", {}, routes)
    assert "1. Neu" in text


def comments(query):
    if "targetType" not in query:
        return DEMANDED
    return page_of({"id": "c1", "message": "Ja"}) if query["targetType"] == "wiki-article" else MISSING


def test_comments_are_found_without_the_type_of_their_target():
    result, text, _ = ask("Social_GetComments", {"targetId": "x"}, {"GET /api/comments": comments})
    assert not result["isError"]
    assert "id: c1" in text


def test_no_comments_of_any_type_are_none():
    known = {"GET /api/comments": lambda query: page_of() if "targetType" in query else DEMANDED}
    assert ask("Social_GetComments", {"targetId": "x"}, known)[1] == "Comments: none."


@pytest.mark.parametrize("name", ["Social_GetComments", "Social_PostComment"])
def test_where_the_type_is_needed_the_answer_asks_for_it(name):
    arguments = {"targetId": "x", **({"body": "Ja"} if name == "Social_PostComment" else {})}
    known = {"GET /api/comments": DEMANDED, "POST /api/comments": DEMANDED}
    result, text, tenant = ask(name, arguments, known)
    assert result["isError"]
    assert text.startswith("[400] Invalid arguments: targetType: is required by this DB Planet")
    assert "blog-article, timeline-item, wiki-article" in text
    assert [asked.method for asked in tenant.asked].count("POST") == (name == "Social_PostComment")


def test_reactions_are_told_as_likes_with_their_kinds():
    reactions = [{"sender": {"id": i, "displayName": i.upper()}, "reactionType": kind} for i, kind in REACTED]
    known = {"GET /api/reaction-targets/blog-article/a1/reactions": page_of(*reactions)}
    _, text, _ = ask("Social_GetLikes", LIKES, known)
    assert "likes: 4\nliked by the user: yes\nlatest: U1 (id u1), U2 (id u2), ME-ID (id me-id)\n" in text
    assert "kinds: like 3, love 1" in text


REACTED = [("u1", "LIKE"), ("u2", "LOVE"), ("me-id", "LIKE"), ("u3", "LIKE")]


def test_on_a_later_page_of_reactions_may_be_the_users_own():
    known = {
        "GET /api/reaction-targets/blog-article/a1/reactions": {
            "content": [{"sender": {"id": "u1"}, "reactionType": "LIKE"}],
            "totalElements": 70,
            "last": False,
        }
    }
    _, text, _ = ask("Social_GetLikes", LIKES, known)
    assert "likes: 70" in text
    assert "liked by the user" not in text


def test_a_like_cannot_be_set_where_there_are_reactions():
    known = {"GET /api/reaction-targets/types": []}
    result, text, tenant = ask("Social_ToggleLike", {**LIKES, "userId": "me-id"}, known)
    assert result["isError"]
    assert text.startswith(
        "[404] This DB Planet has reactions in place of likes, and its API cannot set them."
    )
    assert [asked.method for asked in tenant.asked] == ["GET", "POST", "GET"]


def test_an_empty_slot_is_no_text_and_no_error():
    known = {"GET /api/pages/p1": {"id": "p1", "displayName": "Seite"}, "GET /api/widgets/page-content": []}
    result, text, tenant = ask("Content_GetFull", {"contentId": "p1", "contentType": "page"}, known)
    assert not result["isError"]
    assert "(no text)" in text
    slot = next(asked for asked in tenant.asked if asked.path == "/api/widgets/page-content")
    assert dict(slot.query) == {"parentId": "p1", "parentType": "page"}


def test_an_unknown_layout_is_no_empty_one():
    result, text, _ = ask("Content_GetFull", ARTICLE, {"GET /api/widgets/app-blog-b1-a1": []})
    assert result["isError"]
    assert text.startswith("[404] The requested resource was not found.\nPass senderId")
