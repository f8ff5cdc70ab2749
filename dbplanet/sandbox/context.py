"""What a handler works with: this request's store, its user, its JSON body."""

from __future__ import annotations

import json
from typing import Any

from flask import current_app, g, request

from .access import Viewer
from .errors import invalid, not_found
from .store import Document, Store


def store() -> Store:
    """Return the request's connection, opened when first asked for."""
    if "store" not in g:
        g.store = Store(current_app.config["DATABASE"])
    opened: Store = g.store
    return opened


def close_store(_: BaseException | None = None) -> None:
    """Close the request's connection, if one was opened."""
    opened = g.pop("store", None)
    if opened is not None:
        opened.close()


def viewer() -> Viewer:
    """Return the signed-in user; set by the check of the bearer token."""
    signed_in: Viewer = g.viewer
    return signed_in


def visible(type_name: str, id_or_slug: str, *, owner: str | None = None) -> Document:
    """Load an entity by id or slug.

    :raise ApiError: 404 where it does not exist or this user may not see it.
    """
    document = store().find(type_name, id_or_slug, owner=owner)
    if document is None or not viewer().sees(document):
        raise not_found(type_name)
    return document


SENDER_TYPES = ("page", "workspace", "event", "user")


def visible_sender(id_or_slug: str) -> Document:
    """Load a page, workspace, event or user by id or slug; 404 as :func:`visible`."""
    for type_name in SENDER_TYPES:
        document = store().find(type_name, id_or_slug)
        if document is not None and viewer().sees(document):
            return document
    raise not_found("sender")


def json_body() -> dict[str, Any]:
    """Return the request's JSON object; 400 for anything else."""
    body = request.get_json(force=True, silent=True)
    if not isinstance(body, dict) or not _is_unicode(body):
        raise invalid()
    return body


def _is_unicode(body: dict[str, Any]) -> bool:
    """Tell whether all text is storable: JSON can spell half of a surrogate pair."""
    try:
        json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
