"""The address of a page of the intranet, for people to open (API §3.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from dbplanet.haiilo.shapes import Entity, entity_id, first_text, target_params, text, type_name

# Type of a sender → the beginning of its address.
_SENDERS: Final[Mapping[str, str]] = {
    "page": "/pages",
    "workspace": "/workspaces",
    "event": "/events",
    "user": "/profile",
}
# Kind of an app → what stands between the app and its article.
_ARTICLES: Final[Mapping[str, str]] = {"blog": "view", "wiki": "list/view"}


def sender_url(base_url: str, sender: Entity) -> str | None:
    """Return the address of a page, workspace, event or person, None for what has none."""
    start = _SENDERS.get(type_name(sender) or "")
    key = first_text(sender.get("slug"), target_params(sender).get("slug"), entity_id(sender))
    return f"{base_url}{start}/{_part(key)}" if start and key else None


def app_url(base_url: str, sender: Entity, app: Entity) -> str | None:
    """Return the address of an app (``id`` or ``slug``, and ``key``) of a sender."""
    place, kind = sender_url(base_url, sender), text(app.get("key"))
    name = first_text(app.get("slug"), entity_id(app))
    return f"{place}/apps/{_part(kind)}/{_part(name)}" if place and kind and name else None


def article_url(base_url: str, sender: Entity, app: Entity, article_id: str) -> str | None:
    """Return the address of a blog or wiki article."""
    start, between = app_url(base_url, sender, app), _ARTICLES.get(text(app.get("key")) or "")
    return f"{start}/{between}/{_part(article_id)}" if start and between else None


def post_url(base_url: str, item_id: str) -> str:
    """Return the address of a timeline item."""
    return f"{base_url}/timeline/item/{_part(item_id)}"


def _part(value: str) -> str:
    return quote(value, safe="")
