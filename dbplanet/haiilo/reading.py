"""What the readers of all content types share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from dbplanet.haiilo.client import HaiiloClient
from dbplanet.haiilo.errors import HaiiloError, UnauthorizedError
from dbplanet.haiilo.paths import segment
from dbplanet.haiilo.shapes import Entity, mapping, target_params, text
from dbplanet.mcp.errors import ToolError
from dbplanet.text import clean_text, html_to_text


@dataclass(frozen=True)
class Reference:
    """What the caller knows of an item; ``language`` is the one they want it in."""

    id: str
    app_id: str | None = None
    sender_id: str | None = None
    slug: str | None = None
    language: str | None = None


@dataclass(frozen=True)
class Content:
    """An item: its own JSON (empty where it could not be read), its text in Markdown, and what is around it.

    ``sender`` is the page or workspace it is in, ``apps`` are those it has itself, ``url`` is its address in
    the intranet, ``language`` the one its text is in where that is known.
    """

    entity: Entity
    text: str
    title: str | None = None
    sender: Entity = field(default_factory=dict)
    apps: list[Entity] = field(default_factory=list)
    url: str | None = None
    language: str | None = None


Reader = Callable[[HaiiloClient, Reference], Content]


def optional(client: HaiiloClient, path: str) -> Entity:
    """Return an object that only adds to the text, empty where it cannot be read."""
    return mapping(attempt(lambda: client.request("GET", path)))


def attempt(read: Callable[[], Any]) -> Any:
    """Return what only adds to the text, None where it cannot be read."""
    try:
        return read()
    except UnauthorizedError:
        raise
    except (HaiiloError, ToolError):
        # The tenant's own ids may be what no path can hold.
        return None


def sender_of(client: HaiiloClient, entity: Entity, ref: Reference) -> Entity:
    """Return the page or workspace that an article or app is in, as far as it tells itself.

    It is read where the entity does not tell, and where its languages matter: an app has those of its place.
    """
    params = target_params(entity)
    kind, slug = text(params.get("senderType")), text(params.get("senderSlug"))
    if ref.language is None and kind and slug:
        return {"id": params.get("senderId") or ref.sender_id, "typeName": kind, "slug": slug}
    return optional(client, f"/api/senders/{segment(ref.sender_id or '')}")


def html(client: HaiiloClient, value: Any) -> str:
    """Return an HTML field as Markdown."""
    given = text(value)
    return html_to_text(given, base_url=client.base_url) if given else ""


def markdown(value: Any) -> str:
    """Return a Markdown field, cleaned."""
    given = text(value)
    return clean_text(given).strip() if given else ""


def joined(parts: Iterable[str | None]) -> str:
    """Return the blocks that there are, a blank line between them."""
    return "\n\n".join(part for part in parts if part)
