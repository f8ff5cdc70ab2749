"""What a user may see and do: the rules of Haiilo's visibilities and global permissions."""

from __future__ import annotations

from typing import Any

from .errors import forbidden
from .store import Document, Store

_EVERYONE = (
    "ACCESS_COLLEAGUE_LIST ACCESS_EVENTS ACCESS_FILES ACCESS_NEWS ACCESS_NOTIFICATIONS"
    " ACCESS_OTHER_USER_PROFILE ACCESS_PAGES ACCESS_WORKSPACES CREATE_COMMENT LIKE SEARCH"
)
_EDITORS = (
    "ACT_AS_SENDER CREATE_EVENT CREATE_PAGE CREATE_PUBLIC_PAGE CREATE_TIMELINE_ITEM"
    " CREATE_WORKSPACE DELETE_COMMENT MANAGE_EVENT"
)
ROLES = {
    "reader": frozenset(_EVERYONE.split()),
    "editor": frozenset(f"{_EVERYONE} {_EDITORS}".split()),
}
"""Global permissions by the role a user has in ``content/people.json``."""

# Entity permissions that do not depend on being an admin of the entity.
_BY_GLOBAL_PERMISSION = {"like": "LIKE", "comment": "CREATE_COMMENT"}
_FOR_READERS = ("share", "canSubscribe", "canParticipate")
_FOR_ADMINS = ("manage", "edit", "delete", "manageApps", "manageSlots", "manageWidgets", "createFile")
_ADMIN_ROLES = ("ADMIN", "HOST")


class Viewer:
    """The signed-in user of one request, with their memberships."""

    def __init__(self, store: Store, user: Document) -> None:
        self.store = store
        self.user = user
        self.id: str = user["id"]
        self.permissions = ROLES[user["_role"]]
        self.memberships: dict[str, tuple[str, str]] = {}
        self.reload()

    def reload(self) -> None:
        """Read the user's memberships, at the start and after a change to them."""
        rows = self.store.rows("SELECT entity, role, status FROM membership WHERE user = ?", self.id)
        self.memberships = {row["entity"]: (row["role"], row["status"]) for row in rows}

    def require(self, permission: str) -> None:
        """Raise 403 unless the user has this global permission."""
        if permission not in self.permissions:
            raise forbidden(f"The global permission {permission} is missing.")

    def status_in(self, entity: str, default: str) -> str:
        """Return the user's membership status in a workspace or event."""
        return str(self.memberships.get(entity, ("", default))[1])

    def sees(self, document: Document) -> bool:
        """Tell whether the entity exists for this user."""
        rule = _RULES.get(document["typeName"])
        return rule is not None and rule(self, document)

    def reads(self, container: Document | None) -> bool:
        """Tell whether the user may read what is inside a page, workspace, event or profile."""
        if container is None or not self.sees(container):
            return False
        if container["typeName"] == "workspace" and container["visibility"] != "PUBLIC":
            return self.status_in(container["id"], "NONE") == "APPROVED"
        return True

    def manages(self, document: Document) -> bool:
        """Tell whether the user is an admin of the entity or of the sender it belongs to."""
        own = self.id in (document["id"], document.get("_author"))
        sender: str = document.get("senderId") or document["id"]
        role, _ = self.memberships.get(sender, ("", ""))
        return own or role in _ADMIN_ROLES

    def acts_as(self, sender: str) -> bool:
        """Tell whether the user may like, comment or host as this sender."""
        if sender == self.id:
            return True
        document = self.store.get(sender)
        is_place = document is not None and document["typeName"] in ("page", "workspace")
        return is_place and "ACT_AS_SENDER" in self.permissions and self.manages(document or {})

    def entity_permissions(self, document: Document, asked: str) -> dict[str, bool]:
        """Answer ``_permissions=a,b,c`` or ``*`` for one entity."""
        known: dict[str, bool] = {
            **dict.fromkeys(_FOR_ADMINS, self.manages(document)),
            **dict.fromkeys(_FOR_READERS, True),
            **{name: needed in self.permissions for name, needed in _BY_GLOBAL_PERMISSION.items()},
        }
        if asked == "*":
            return known
        return {name: known.get(name, False) for name in asked.split(",") if name}


def _member(viewer: Viewer, document: Document) -> bool:
    return document["id"] in viewer.memberships


def _active(_: Viewer, document: Document) -> bool:
    return bool(document["status"] == "ACTIVE")


def _workspace(viewer: Viewer, document: Document) -> bool:
    return document["visibility"] != "PRIVATE" or _member(viewer, document)


def _public(viewer: Viewer, document: Document) -> bool:
    return bool(document["public"]) or _member(viewer, document)


def _inside(viewer: Viewer, document: Document) -> bool:
    return viewer.reads(viewer.store.get(document["senderId"]))


def _article(viewer: Viewer, document: Document) -> bool:
    return _inside(viewer, document) and (document["published"] or viewer.manages(document))


def _post(viewer: Viewer, document: Document) -> bool:
    return any(viewer.reads(viewer.store.get(recipient)) for recipient in document["_recipients"])


def _comment(viewer: Viewer, document: Document) -> bool:
    target = viewer.store.get(document["target"]["id"])
    return target is not None and viewer.sees(target)


_RULES: dict[str, Any] = {
    "user": _active,
    "page": _public,
    "workspace": _workspace,
    "event": _public,
    "app": _inside,
    "blog-article": _article,
    "wiki-article": _inside,
    "timeline-item": _post,
    "comment": _comment,
}
