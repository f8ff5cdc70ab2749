"""The table of routes in which Haiilo's generations differ (API §6): the specification's path, other forms.

A route is asked by ``HaiiloClient.ask``. Whatever form a tenant knows, the answer has the shape of the
specification's route.
"""

from __future__ import annotations

from typing import Final

from dbplanet.haiilo.forms import (
    blogs_of_pages,
    both_categories,
    comments_of_any_type,
    for_groups,
    found_hits,
    global_search,
    group_by_type,
    mark_both_seen,
    reactions,
    slot,
    slot_with_widgets,
    with_widgets,
)
from dbplanet.haiilo.variants import Route, at

_WIDGETS: Final = "/{}/{}/widgets/{}"

SEARCH: Final = Route(
    "GET",
    "/api/search",
    (at("/api/global-search", global_search, found_hits),),
    instead="This DB Planet lets no full-text search through here. Search_QuickEntity finds pages, "
    "workspaces, people and events by name.",
)
GROUPED: Final = Route(
    "GET",
    "/api/search/grouped",
    (
        at("/api/search", for_groups, group_by_type),
        at(
            "/api/global-search",
            lambda params: global_search(for_groups(params)),
            lambda data: group_by_type(found_hits(data)),
        ),
    ),
    instead=SEARCH.instead,
)
QUICK: Final = Route(
    "GET",
    "/api/quick-entity-search",
    (at("/api/senders/search"), at("/api/users")),
    instead="This DB Planet lets no search by name through here. Search_FullText finds names too.",
)
CHOOSER: Final = Route(
    "GET",
    "/api/users/chooser/search",
    (at("/api/users"),),
    instead="This DB Planet lets no search for people through here. Search_FullText with type user finds "
    "them.",
)
NEWSFEED: Final = Route(
    "GET",
    "/web/blog/newsfeed",
    (blogs_of_pages,),
    instead="This DB Planet lets no news feed through here. Search_FullText with type blog-article finds "
    "articles, with modified last_week the recent ones.",
)
JOIN: Final = Route(
    "PUT",
    "/api/workspaces/{}/members/join",
    (at("/api/workspaces/{}/users/join"),),
    entity="/api/workspaces/{}",
)
ANSWER: Final = Route(
    "PUT", "/api/events/{}/memberships/status", (at("/api/events/{}/status"),), entity="/api/events/{}"
)
NOTIFICATIONS: Final = Route(
    "GET",
    "/api/notifications",
    (both_categories,),
    instead="This DB Planet lets no notifications through here. News_GetFeed tells what is new.",
)
MARK_SEEN: Final = Route(
    "PUT",
    "/api/notifications/mark-seen",
    (mark_both_seen,),
    instead="This DB Planet lets nobody mark notifications from here; opening them in the browser does.",
)
COMMENTS: Final = Route("GET", "/api/comments", (comments_of_any_type,))
"""For a target whose type the caller does not know."""
LIKES: Final = Route("GET", "/api/like-targets/{}/{}", (reactions,))
LAYOUT: Final = Route(
    "GET",
    f"/api{_WIDGETS}",
    (at(f"/web{_WIDGETS}"), at("/api/widget-layouts/{2}", with_widgets), slot_with_widgets),
)
"""The layout of an article or app; ids: parent type, parent id, name of the layout (API §5.3)."""
SLOT: Final = Route("GET", f"/api{_WIDGETS}", (at(f"/web{_WIDGETS}"), slot))
"""A fixed slot of a page or workspace that is known to be there; ids as LAYOUT's."""

REACTION_TYPES_PATH: Final = "/api/reaction-targets/types"
"""Answers on a tenant that has reactions in place of likes, and only there."""
