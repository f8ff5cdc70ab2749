"""DB Planet's 28 tools, one module for each capability area (Requirement 2)."""

from __future__ import annotations

from typing import Final

from dbplanet.mcp.tools import Tool
from dbplanet.tools import content, events, news, notifications, pages, people, search, social, workspaces

TOOLSETS: Final[dict[str, tuple[Tool, ...]]] = {
    "search": (search.full_text, search.quick_entity, search.grouped),
    "workspaces": (
        workspaces.list_workspaces,
        workspaces.get_workspace,
        workspaces.get_members,
        workspaces.join,
        workspaces.create,
    ),
    "news": (news.get_feed,),
    "people": (people.get_me, people.list_people, people.search_people),
    "events": (events.get_event, events.get_memberships, events.update_status, events.create),
    "social": (social.get_comments, social.post_comment, social.get_likes, social.toggle_like),
    "notifications": (
        notifications.list_notifications,
        notifications.get_status,
        notifications.mark_seen,
    ),
    "pages": (pages.list_pages, pages.get_page, pages.get_members, pages.create),
    "content": (content.get_full,),
}
"""Capability area → its tools, in the order of the specification's inventory."""

ALL_TOOLS: Final = tuple(tool for tools in TOOLSETS.values() for tool in tools)
