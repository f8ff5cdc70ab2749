"""Workspaces, called communities in the platform's own pages (Requirement 4)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from dbplanet.haiilo.client import HaiiloClient
from dbplanet.haiilo.generations import JOIN
from dbplanet.haiilo.paths import segment
from dbplanet.haiilo.shapes import mapping, read_page, words
from dbplanet.mcp.arguments import Text
from dbplanet.mcp.tools import ADD, READ, SET, tool
from dbplanet.text.layout import Document, labelled
from dbplanet.tools.parameters import (
    NOBODY_YET,
    FilledText,
    Id,
    PageNumber,
    PageSize,
    WorkspaceVisibility,
    given,
    paging,
)
from dbplanet.tools.present import details, listing, member, sender, sender_details

WorkspaceId = Annotated[Id, Field(alias="id", description="Workspace ID (or slug)")]


@tool(
    "Workspace_List",
    title="List workspaces",
    annotations=READ,
    description="List the workspaces (communities) that the user can see, with id, visibility, own "
    "membership and member count.",
)
def list_workspaces(
    client: HaiiloClient, page: PageNumber | None = None, page_size: PageSize | None = None
) -> Document:
    """Requirement 4.1: ``GET /api/workspaces``."""
    data = client.request("GET", "/api/workspaces", paging(page, page_size))
    return listing("Workspaces", read_page(data), sender)


@tool(
    "Workspace_Get",
    title="Workspace details",
    annotations=READ,
    description="Get one workspace: name, description, visibility, own membership and settings.",
)
def get_workspace(client: HaiiloClient, workspace_id: WorkspaceId) -> Document:
    """Requirement 4.2: ``GET /api/workspaces/{id}``."""
    workspace = client.request("GET", f"/api/workspaces/{segment(workspace_id)}")
    return details("Workspace", mapping(workspace), sender_details)


@tool(
    "Workspace_GetMembers",
    title="Workspace members",
    annotations=READ,
    description="List the members of a workspace with their user id and role (admin or user).",
)
def get_members(
    client: HaiiloClient,
    workspace_id: WorkspaceId,
    page: PageNumber | None = None,
    page_size: PageSize | None = None,
) -> Document:
    """Requirement 4.3: ``GET /api/workspaces/{id}/members``."""
    path = f"/api/workspaces/{segment(workspace_id)}/members"
    data = client.request("GET", path, paging(page, page_size))
    return listing("Members of the workspace", read_page(data), member)


@tool(
    "Workspace_Join",
    title="Join a workspace",
    annotations=SET,
    description="Join a workspace as the signed-in user. A public one is joined at once, a protected one "
    "receives a request that its admins decide on.",
)
def join(client: HaiiloClient, workspace_id: WorkspaceId) -> Document:
    """Requirement 4.4: ``PUT /api/workspaces/{id}/members/join``."""
    answer = mapping(client.ask(JOIN, workspace_id))
    status = words(answer.get("status")) or words(answer.get("membershipStatus"))
    heads = {
        "approved": "You are now a member of the workspace.",
        "requested": "Membership requested; an admin of the workspace decides.",
    }
    head = heads.get(status or "", "The workspace accepted the request to join.")
    return Document(head, [labelled([("workspace", workspace_id), ("my membership", status)])])


@tool(
    "Workspace_Create",
    title="Create a workspace",
    annotations=ADD,
    description="Create a workspace; the signed-in user becomes its admin. Returns its id. The name must not "
    "be taken.",
)
def create(
    client: HaiiloClient,
    name: Annotated[FilledText, Field(description="Workspace name", max_length=255)],
    description: Annotated[Text, Field(description="Workspace description")] | None = None,
    visibility: Annotated[
        WorkspaceVisibility,
        Field(description="Who sees and joins it: everyone, on request, by invitation (default private)"),
    ] = "private",
) -> Document:
    """Requirement 4.5: ``POST /api/workspaces``, with the fields that the API requires."""
    data = {"name": name, "visibility": visibility.upper(), **NOBODY_YET}
    created = client.request("POST", "/api/workspaces", data=data | given(description=description))
    return details("Workspace created", {"displayName": name, **mapping(created)}, sender_details)
