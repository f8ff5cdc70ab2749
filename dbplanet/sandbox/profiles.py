"""Generations of the Haiilo API as tables of routes: method, path below ``/api`` and ``/web``, handler."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .resources import content, events, notifications, pages, search, social, users, workspaces

Route = tuple[str, str, Callable[..., Any]]

# Confirmed for every generation (reference/haiilo-api.md §4 and §5).
_COMMON: tuple[Route, ...] = (
    ("GET", "/workspaces", workspaces.listing),
    ("POST", "/workspaces", workspaces.create),
    ("GET", "/workspaces/<workspace_id>", workspaces.get),
    ("GET", "/workspaces/<workspace_id>/members", workspaces.members),
    ("GET", "/pages", pages.listing),
    ("POST", "/pages", pages.create),
    ("GET", "/pages/<page_id>", pages.get),
    ("GET", "/pages/<page_id>/members", pages.members),
    ("GET", "/users", users.directory),
    ("GET", "/users/me", users.me),
    ("GET", "/users/<user_id>", users.get),
    ("GET", "/events", events.listing),
    ("POST", "/events", events.create),
    ("GET", "/events/<event_id>", events.get),
    ("GET", "/events/<event_id>/memberships", events.memberships),
    ("GET", "/comments", social.comments),
    ("POST", "/comments", social.create_comment),
    ("GET", "/notifications", notifications.listing),
    ("GET", "/notifications/status", notifications.status),
    ("GET", "/timeline-items/<item_id>", content.timeline_item),
    ("GET", "/senders/<sender_id>", content.sender),
    ("GET", "/senders/<sender_id>/apps", content.apps),
    ("GET", "/senders/<sender_id>/apps/<app_id>", content.app),
    ("GET", "/senders/<sender_id>/apps/<app_id>/blog/articles", content.blog_articles),
    ("GET", "/senders/<sender_id>/apps/<app_id>/blog/articles/<article_id>", content.blog_article),
    ("GET", "/senders/<sender_id>/apps/<app_id>/wiki/articles/children", content.wiki_children),
    ("GET", "/senders/<sender_id>/apps/<app_id>/wiki/articles/<article_id>", content.wiki_article),
)

# The paths of the product's specification, where generations differ.
_SPEC: tuple[Route, ...] = (
    ("GET", "/search", search.search),
    ("GET", "/search/grouped", search.grouped),
    ("GET", "/quick-entity-search", search.quick),
    ("GET", "/users/chooser/search", users.directory),
    ("GET", "/blog/newsfeed", content.newsfeed),
    ("PUT", "/workspaces/<workspace_id>/members/join", workspaces.join),
    ("PUT", "/events/<event_id>/memberships/status", events.answer),
    ("PUT", "/notifications/mark-seen", notifications.mark_seen),
    ("GET", "/like-targets/<target_type>/<target_id>", social.likes),
    ("POST", "/like-targets/<target_type>/<target_id>/likes/<sender_id>", social.like),
    ("DELETE", "/like-targets/<target_type>/<target_id>/likes/<sender_id>", social.unlike),
    ("GET", "/<parent_type>/<parent_id>/widgets/<layout_name>", content.widgets),
)

PROFILES: dict[str, tuple[Route, ...]] = {"spec": (*_COMMON, *_SPEC)}
"""Routes by the name of a profile."""
