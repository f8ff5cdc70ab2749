"""Pages."""

from __future__ import annotations

import uuid

from flask import request
from flask.typing import ResponseReturnValue

from dbplanet.sandbox.clock import now_ms
from dbplanet.sandbox.context import json_body, store, viewer, visible
from dbplanet.sandbox.documents import page
from dbplanet.sandbox.folding import fold
from dbplanet.sandbox.paging import inner_query, page_of, wanted
from dbplanet.sandbox.store import Document
from dbplanet.sandbox.views import present

from .memberships import (
    add_with_members,
    form,
    free_slug,
    require,
    require_choice,
    require_free,
    require_name,
    user_ids,
)

_VISIBILITIES = ("PUBLIC", "PRIVATE")
_FIELDS = ("description", "defaultLanguage", "translations", "autoSubscribeType")


def _listed() -> list[Document]:
    term = fold(request.args.get("term", ""))
    filters = inner_query("filters")
    return [
        found
        for found in store().documents("page")
        if viewer().sees(found)
        and term in fold(f"{found['name']} {found['description']}")
        and wanted(filters, "categories", *(category["id"] for category in found["categories"]))
        and wanted(filters, "status", "ALL", *_statuses(found))
    ]


def _statuses(found: Document) -> list[str]:
    """Return what one is to a page: its members, and all people where the page says so, have subscribed."""
    is_subscribed = found["id"] in viewer().memberships or found["autoSubscribeType"] == "ALL"
    return [*(["ADMIN"] if viewer().manages(found) else []), *(["SUBSCRIBED"] if is_subscribed else [])]


def listing() -> Document:
    """Answer ``GET /pages``: a page of those one may see, narrowed by term and filters."""
    viewer().require("ACCESS_PAGES")
    return page_of(_listed(), present)


def get(page_id: str) -> Document:
    """Answer ``GET /pages/{idOrSlug}``."""
    return present(visible("page", page_id))


def members(page_id: str) -> Document:
    """Answer ``GET /pages/{idOrSlug}/members``: id lists, as the edit form needs them."""
    rows = store().members(visible("page", page_id)["id"])
    return {
        "adminIds": [row["user"] for row in rows if row["role"] == "ADMIN"],
        "adminGroupIds": [],
        "memberIds": [row["user"] for row in rows if row["role"] == "USER"],
        "memberGroupIds": [],
    }


def create() -> ResponseReturnValue:
    """Answer ``POST /pages``: needs ``name``, ``visibility`` and at least one of ``adminIds``."""
    viewer().require("CREATE_PAGE")
    body = json_body()
    name = require_name(body)
    given = form(body, *_FIELDS) | {
        "name": name,
        "visibility": require_choice(body, "visibility", _VISIBILITIES),
    }
    require(body, "adminIds")
    admins, members = user_ids(body, "adminIds"), user_ids(body, "memberIds")
    if given["visibility"] == "PUBLIC":
        viewer().require("CREATE_PUBLIC_PAGE")
    with store().transaction():
        require_free("page", name)
        created = page(str(uuid.uuid4()), free_slug("page", name), given, created=now_ms())
        add_with_members(created, admins, members)
    return present(created), 201
