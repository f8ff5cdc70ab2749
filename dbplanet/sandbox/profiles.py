"""Generations of the Haiilo API as tables of routes: method, path below ``/api`` and ``/web``, handler.

What a generation lacks is not in its table and answers 404, or 405 where the path has other methods.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .resources import (
    content,
    events,
    notifications,
    pages,
    reactions,
    search,
    social,
    users,
    widgets,
    workspaces,
)


class Route(NamedTuple):
    """One route; ``roots`` are the prefixes that it is served below."""

    method: str
    path: str
    view: Callable[..., Any]
    roots: tuple[str, ...] = ("api", "web")


# Confirmed for every generation (reference/haiilo-api.md §4 and §5).
_COMMON: tuple[Route, ...] = (
    Route("GET", "/workspaces", workspaces.listing),
    Route("POST", "/workspaces", workspaces.create),
    Route("GET", "/workspaces/<workspace_id>", workspaces.get),
    Route("GET", "/workspaces/<workspace_id>/members", workspaces.members),
    Route("GET", "/pages", pages.listing),
    Route("POST", "/pages", pages.create),
    Route("GET", "/pages/<page_id>", pages.get),
    Route("GET", "/pages/<page_id>/members", pages.members),
    Route("GET", "/users", users.directory),
    Route("GET", "/users/me", users.me),
    Route("GET", "/users/<user_id>", users.get),
    Route("GET", "/events", events.listing),
    Route("POST", "/events", events.create),
    Route("GET", "/events/<event_id>", events.get),
    Route("GET", "/events/<event_id>/memberships", events.memberships),
    Route("GET", "/notifications/status", notifications.status),
    Route("GET", "/timeline-items/<item_id>", content.timeline_item),
    Route("GET", "/senders/<sender_id>", content.sender),
    Route("GET", "/senders/<sender_id>/apps", content.apps),
    Route("GET", "/senders/<sender_id>/apps/<app_id>", content.app),
    Route("GET", "/senders/<sender_id>/apps/<app_id>/blog/articles", content.blog_articles),
    Route("GET", "/senders/<sender_id>/apps/<app_id>/blog/articles/<article_id>", content.blog_article),
    Route("GET", "/senders/<sender_id>/apps/<app_id>/wiki/articles/children", content.wiki_children),
    Route("GET", "/senders/<sender_id>/apps/<app_id>/wiki/articles/<article_id>", content.wiki_article),
)

_LIKES: tuple[Route, ...] = (
    Route("GET", "/like-targets/<target_type>/<target_id>", social.likes),
    Route("POST", "/like-targets/<target_type>/<target_id>/likes/<sender_id>", social.like),
    Route("DELETE", "/like-targets/<target_type>/<target_id>/likes/<sender_id>", social.unlike),
)
_TYPED_COMMENTS: tuple[Route, ...] = (
    Route("GET", "/comments", social.comments_of_type),
    Route("POST", "/comments", social.create_comment_by),
)

# The paths of the product's specification that no source of the oldest generation shows.
_NEWER: tuple[Route, ...] = (
    Route("GET", "/quick-entity-search", search.quick),
    Route("GET", "/users/chooser/search", users.directory),
    Route("GET", "/blog/newsfeed", content.newsfeed),
    Route("GET", "/notifications", notifications.listing),
    Route("PUT", "/workspaces/<workspace_id>/members/join", workspaces.join),
    Route("PUT", "/events/<event_id>/memberships/status", events.answer),
    Route("PUT", "/notifications/mark-seen", notifications.mark_seen),
)

# The product's specification as it is written.
_SPEC: tuple[Route, ...] = (
    Route("GET", "/search", search.search),
    Route("GET", "/search/grouped", search.grouped),
    Route("GET", "/comments", social.comments),
    Route("POST", "/comments", social.create_comment),
    Route("GET", "/<parent_type>/<parent_id>/widgets/<layout_name>", widgets.layout),
)

# What the front end of 2017 sent ("C v5" in the reference).
_CLASSIC: tuple[Route, ...] = (
    Route("GET", "/search", search.search),
    Route("GET", "/senders/search", search.quick),
    Route("GET", "/notifications", notifications.listing_of_category),
    Route("PUT", "/notifications/action/mark-seen", notifications.mark_category_seen),
    Route("PUT", "/workspaces/<workspace_id>/users/join", workspaces.join),
    Route("PUT", "/events/<event_id>/status", events.answer),
    Route("GET", "/widget-layouts/<layout_name>", widgets.classic_layout),
    Route("GET", "/widgets/<slot_name>", widgets.slot),
)

# What clients of 2024 and later send; widgets were seen below /web alone.
_MODERN: tuple[Route, ...] = (
    Route("GET", "/global-search", search.global_search),
    Route("GET", "/reaction-targets/types", reactions.types),
    Route("GET", "/reaction-targets/<target_type>", reactions.counts),
    Route("GET", "/reaction-targets/<target_type>/<target_id>/reactions", reactions.listing),
    Route("GET", "/<parent_type>/<parent_id>/widgets/<layout_name>", widgets.layout, roots=("web",)),
)

PROFILES: dict[str, tuple[Route, ...]] = {
    "spec": (*_COMMON, *_LIKES, *_NEWER, *_SPEC),
    "classic": (*_COMMON, *_LIKES, *_TYPED_COMMENTS, *_CLASSIC),
    "modern": (*_COMMON, *_TYPED_COMMENTS, *_NEWER, *_MODERN),
}
"""Routes by the name of a profile."""
