"""What workspaces, pages and events have in common: members, and checking a form."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dbplanet.sandbox.context import store, viewer
from dbplanet.sandbox.errors import invalid, name_taken
from dbplanet.sandbox.folding import fold
from dbplanet.sandbox.fulltext import index
from dbplanet.sandbox.store import Document
from dbplanet.sandbox.views import core

NAME_LENGTH = 255


def require(body: Document, *fields: str) -> None:
    """Raise 400 naming every field that is missing or blank."""
    missing = {field: "NotNull" for field in fields if body.get(field) in (None, "", [])}
    if missing:
        raise invalid(**missing)


def require_name(body: Document) -> str:
    """Return the ``name`` of a form: text of 1 to 255 characters, else 400."""
    name = body.get("name")
    if not isinstance(name, str) or not name.strip():
        raise invalid(name="NotBlank")
    if len(name) > NAME_LENGTH:
        raise invalid(name="Size")
    return name.strip()


def form(body: Document, *fields: str) -> Document:
    """Return the fields of a form that are given, in text no longer than a column; 400 for other types."""
    given = {field: body[field] for field in fields if body.get(field) is not None}
    for field in ("description", "place"):
        if not isinstance(given.get(field, ""), str):
            raise invalid(**{field: "typeMismatch"})
    if len(given.get("place", "")) > NAME_LENGTH:
        raise invalid(place="Size")
    return given


def require_choice(body: Document, field: str, choices: Iterable[str]) -> str:
    """Return a field that must hold one of ``choices``, else 400."""
    if body.get(field) not in tuple(choices):
        raise invalid(**{field: "NotNull" if body.get(field) is None else "Invalid"})
    return str(body[field])


def require_free(type_name: str, name: str) -> None:
    """Raise 409 ``NAME_TAKEN`` when a page or workspace of that name exists."""
    if any(fold(other["name"]) == fold(name) for other in store().documents(type_name)):
        raise name_taken(name)


def user_ids(body: Document, field: str) -> list[str]:
    """Return a list of ids of existing users, 400 for anything else; absent is empty."""
    ids: Any = body.get(field) or []
    if not isinstance(ids, list) or not all(isinstance(user, str) and _is_user(user) for user in ids):
        raise invalid(**{field: "Invalid"})
    return ids


def _is_user(user: str) -> bool:
    document = store().get(user)
    return document is not None and document["typeName"] == "user"


def free_slug(type_name: str, name: str) -> str:
    """Return a slug ``[a-z0-9-]+`` for a new entity that no other of its type has."""
    wanted = (
        "-".join("".join(c if c.isascii() and c.isalnum() else " " for c in fold(name)).split()) or type_name
    )
    slug, count = wanted, 1
    while store().find(type_name, slug) is not None:
        count += 1
        slug = f"{wanted}-{count}"
    return slug


def add_with_members(
    created: Document,
    admins: list[str],
    members: list[str],
    *,
    own: str = "APPROVED",
    others: str = "APPROVED",
) -> None:
    """Store a new workspace, page or event, its members' roles and statuses, and make it findable."""
    store().add(created)
    for user in dict.fromkeys([*admins, *members]):
        role = "ADMIN" if user in admins else "USER"
        status = own if user == viewer().id else others
        store().set_membership(created["id"], user, role=role, status=status)
    index(store(), created)
    viewer().reload()


def member_card(row: Any) -> Document:
    """Return a workspace member: ``{user, role: {name}, status}``, the user with their address."""
    user = store().get(row["user"]) or {}
    shown = {**core(user), "email": user.get("email")}
    return {"user": shown, "role": {"name": row["role"]}, "status": row["status"]}
