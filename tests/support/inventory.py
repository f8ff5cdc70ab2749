"""The tools as the specification lists them, and what each needs."""

from __future__ import annotations

from typing import Any

from dbplanet.tools import ALL_TOOLS

# The specification's inventory, in its order.
INVENTORY = [
    "Search_FullText",
    "Search_QuickEntity",
    "Search_Grouped",
    "Workspace_List",
    "Workspace_Get",
    "Workspace_GetMembers",
    "Workspace_Join",
    "Workspace_Create",
    "News_GetFeed",
    "People_GetMe",
    "People_List",
    "People_Search",
    "Event_Get",
    "Event_GetMemberships",
    "Event_UpdateStatus",
    "Event_Create",
    "Social_GetComments",
    "Social_PostComment",
    "Social_GetLikes",
    "Social_ToggleLike",
    "Notification_List",
    "Notification_GetStatus",
    "Notification_MarkSeen",
    "Page_List",
    "Page_Get",
    "Page_GetMembers",
    "Page_Create",
    "Content_GetFull",
]

_ARGUMENTS: dict[str, Any] = {
    "id": "x",
    "query": "x",
    "name": "x",
    "title": "x",
    "status": "yes",
    "startDate": "2031-01-01",
    "endDate": "2031-01-02",
    "targetId": "x",
    "targetType": "blog-article",
    "body": "x",
    "userId": "x",
    "contentId": "x",
    "contentType": "page",
}


def least_arguments(name: str) -> dict[str, Any]:
    """Return made-up values for the required arguments of a tool, with which it sends a request."""
    (schema,) = [tool.arguments.schema for tool in ALL_TOOLS if tool.name == name]
    return {argument: _ARGUMENTS[argument] for argument in schema.get("required", [])}
