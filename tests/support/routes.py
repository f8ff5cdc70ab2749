"""The specification's table (Complete Tool Inventory): what each tool must send."""

from urllib.parse import quote

from hypothesis import strategies as st

# Text as people write it: no surrogates, and something in it besides white space.
words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40).filter(str.strip)
safe_ids = st.one_of(st.uuids().map(str), st.from_regex(r"[a-z0-9][a-z0-9-]{0,30}", fullmatch=True))
odd_ids = st.sampled_from(["a?x=1", "a#f", "a;b", " x ", "Über uns", "日本", "😀", "a%b", "a+b", "ü"])
ids = st.one_of(safe_ids, odd_ids)


def seg(value):
    return quote(value, safe="")


# tool → (strategies of the arguments, method, path from the arguments, query from the arguments)
PAGED = {
    "Search_FullText": ({"query": words}, "GET", lambda a: "/api/search", lambda a: {"term": a["query"]}),
    "News_GetFeed": ({}, "GET", lambda a: "/web/blog/newsfeed", lambda a: {}),
    "People_List": ({}, "GET", lambda a: "/api/users", lambda a: {}),
    "Notification_List": ({}, "GET", lambda a: "/api/notifications", lambda a: {}),
    "Workspace_List": ({}, "GET", lambda a: "/api/workspaces", lambda a: {}),
    "Workspace_GetMembers": (
        {"id": ids},
        "GET",
        lambda a: f"/api/workspaces/{seg(a['id'])}/members",
        lambda a: {},
    ),
    "Event_GetMemberships": (
        {"id": ids},
        "GET",
        lambda a: f"/api/events/{seg(a['id'])}/memberships",
        lambda a: {},
    ),
    "Social_GetComments": (
        {"targetId": words},
        "GET",
        lambda a: "/api/comments",
        lambda a: {"targetId": a["targetId"]},
    ),
    "Page_List": ({}, "GET", lambda a: "/api/pages", lambda a: {}),
}
PLAIN = {
    "Search_QuickEntity": (
        {"query": words},
        "GET",
        lambda a: "/api/quick-entity-search",
        lambda a: {"term": a["query"]},
    ),
    "Search_Grouped": (
        {"query": words},
        "GET",
        lambda a: "/api/search/grouped",
        lambda a: {"term": a["query"]},
    ),
    "Workspace_Get": ({"id": ids}, "GET", lambda a: f"/api/workspaces/{seg(a['id'])}", lambda a: {}),
    "Workspace_Join": (
        {"id": ids},
        "PUT",
        lambda a: f"/api/workspaces/{seg(a['id'])}/members/join",
        lambda a: {},
    ),
    "People_Search": (
        {"query": words},
        "GET",
        lambda a: "/api/users/chooser/search",
        lambda a: {"term": a["query"]},
    ),
    "Event_Get": ({"id": ids}, "GET", lambda a: f"/api/events/{seg(a['id'])}", lambda a: {}),
    "Social_GetLikes": (
        {"targetType": ids, "targetId": ids},
        "GET",
        lambda a: f"/api/like-targets/{seg(a['targetType'])}/{seg(a['targetId'])}",
        lambda a: {"senderId": "me-id"},
    ),
    "Notification_GetStatus": ({}, "GET", lambda a: "/api/notifications/status", lambda a: {}),
    "Notification_MarkSeen": ({}, "PUT", lambda a: "/api/notifications/mark-seen", lambda a: {}),
    "Page_Get": ({"id": ids}, "GET", lambda a: f"/api/pages/{seg(a['id'])}", lambda a: {}),
    "Page_GetMembers": ({"id": ids}, "GET", lambda a: f"/api/pages/{seg(a['id'])}/members", lambda a: {}),
}
# Writes with a body: argument → field of the body.
BODIES = {
    "Workspace_Create": (
        {"name": words, "description": words},
        "/api/workspaces",
        {"name": "name", "description": "description"},
    ),
    "Social_PostComment": (
        {"targetId": words, "body": words},
        "/api/comments",
        {"targetId": "targetId", "body": "message"},
    ),
    "Page_Create": (
        {"title": words, "content": words},
        "/api/pages",
        {"title": "name", "content": "description"},
    ),
}
STATUSES = {"accepted": "ATTENDING", "declined": "NOT_ATTENDING", "tentative": "MAYBE_ATTENDING"}
