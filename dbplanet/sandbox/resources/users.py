"""Users: oneself, the directory, the chooser, a profile."""

from __future__ import annotations

from flask import request

from dbplanet.sandbox.context import store, viewer, visible
from dbplanet.sandbox.folding import fold
from dbplanet.sandbox.paging import inner_query, page_of, wanted
from dbplanet.sandbox.store import Document
from dbplanet.sandbox.views import plain, present

_SEARCHED = ("jobTitle", "department", "location")


def me() -> Document:
    """Answer ``GET /users/me``; ``with=globalPermissions`` adds the list of them."""
    shown = present(viewer().user)
    if "globalPermissions" in request.args.get("with", "").split(","):
        shown["globalPermissions"] = sorted(viewer().permissions)
    return shown


def get(user_id: str) -> Document:
    """Answer ``GET /users/{idOrSlug}``."""
    return present(visible("user", user_id))


def _matches(user: Document, term: str) -> bool:
    properties = user["properties"]
    texts = [user["displayName"], user["email"], *(properties.get(key, "") for key in _SEARCHED)]
    return all(word in fold(" ".join(texts)) for word in fold(term).split())


def _directory() -> list[Document]:
    viewer().require("ACCESS_COLLEAGUE_LIST")
    arguments = request.args
    statuses = {arguments.get("status", "ACTIVE")}
    if arguments.get("includeInactiveUsers") == "true":
        statuses.add("INACTIVE")
    ids = set(arguments.get("userIds", "").split(",")) - {""}
    name = fold(arguments.get("displayName", ""))
    filters = inner_query("filters")
    return [
        user
        for user in store().documents("user")
        if user["status"] in statuses
        and (not ids or user["id"] in ids)
        and name in fold(user["displayName"])
        and _matches(user, arguments.get("term", ""))
        and wanted(filters, "department", user["properties"].get("department", ""))
        and wanted(filters, "location", user["properties"].get("location", ""))
    ]


def directory() -> Document:
    """Answer ``GET /users`` and ``GET /users/chooser/search``: a page of active users.

    Narrowed by ``term``, ``displayName``, ``userIds=a,b``, ``status`` and the filters department, location.
    """
    return page_of(_directory(), plain)
