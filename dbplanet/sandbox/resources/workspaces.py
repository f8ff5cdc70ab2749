"""Workspaces ("communities" in today's user interface)."""

from __future__ import annotations

import uuid

from flask import request
from flask.typing import ResponseReturnValue

from dbplanet.sandbox.clock import now_ms
from dbplanet.sandbox.context import json_body, store, viewer, visible
from dbplanet.sandbox.documents import workspace
from dbplanet.sandbox.folding import fold
from dbplanet.sandbox.paging import inner_query, page_of, wanted
from dbplanet.sandbox.store import Document
from dbplanet.sandbox.views import present

from .memberships import (
    add_with_members,
    form,
    free_slug,
    member_card,
    require_choice,
    require_free,
    require_name,
    user_ids,
)
from .notifications import notify

# What joining makes of one's status; other states stay as they are.
_JOINED = {("PUBLIC", "NONE"): "APPROVED", ("PROTECTED", "NONE"): "REQUESTED"}
_VISIBILITIES = ("PUBLIC", "PROTECTED", "PRIVATE")


def _listed() -> list[Document]:
    term = fold(request.args.get("term", ""))
    filters = inner_query("filters")
    return [
        found
        for found in store().documents("workspace")
        if viewer().sees(found)
        and term in fold(f"{found['name']} {found['description']}")
        and wanted(filters, "categories", *(category["id"] for category in found["categories"]))
        and wanted(filters, "archived", str(found["archived"]).lower(), str(int(found["archived"])))
    ]


def listing() -> Document:
    """Answer ``GET /workspaces``: a page of those one may see, narrowed by term and filters."""
    viewer().require("ACCESS_WORKSPACES")
    return page_of(_listed(), present)


def get(workspace_id: str) -> Document:
    """Answer ``GET /workspaces/{idOrSlug}``."""
    return present(visible("workspace", workspace_id))


def members(workspace_id: str) -> Document:
    """Answer ``GET /workspaces/{idOrSlug}/members``: a page of ``{user, role: {name}, status}``."""
    entity = visible("workspace", workspace_id)["id"]
    rows = [dict(row) for row in store().members(entity, "APPROVED")]
    return page_of(rows, member_card)


def join(workspace_id: str) -> Document:
    """Answer the join: PUBLIC or invited → APPROVED, PROTECTED → REQUESTED, joined already → no change."""
    with store().transaction():
        found = visible("workspace", workspace_id)
        role, status = store().membership(found["id"], viewer().id) or ("USER", "NONE")
        after = "APPROVED" if status == "INVITED" else _JOINED.get((found["visibility"], status), status)
        if after != status:
            store().set_membership(found["id"], viewer().id, role=role, status=after)
            _tell_admins(found, after)
    return member_card({"user": viewer().id, "role": role, "status": after})


def _tell_admins(found: Document, status: str) -> None:
    happened = {"APPROVED": "joined", "REQUESTED": "requested"}[status]
    for row in store().members(found["id"], "APPROVED"):
        if row["role"] == "ADMIN":
            notify(
                row["user"],
                "ACTIVITY",
                f"workspace-{happened}",
                target=found,
                arguments=[found["displayName"]],
            )


def create() -> ResponseReturnValue:
    """Answer ``POST /workspaces``: the creator becomes an admin; 409 ``NAME_TAKEN``."""
    viewer().require("CREATE_WORKSPACE")
    body = json_body()
    name = require_name(body)
    given = form(body, "description") | {
        "name": name,
        "visibility": require_choice(body, "visibility", _VISIBILITIES),
    }
    admins, members = [viewer().id, *user_ids(body, "adminIds")], user_ids(body, "memberIds")
    with store().transaction():
        require_free("workspace", name)
        created = workspace(str(uuid.uuid4()), free_slug("workspace", name), given, created=now_ms())
        add_with_members(created, admins, members)
    return present(created), 201
