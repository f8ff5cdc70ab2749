"""How the tenant's entities read: one block of labelled lines each, with the ids that next calls need."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from dbplanet.haiilo.shapes import (
    Entity,
    Page,
    entity_id,
    first_text,
    mapping,
    moment,
    read_page,
    target_params,
    text,
    type_name,
    whole,
    words,
    yes_or_no,
)
from dbplanet.haiilo.widgets import layout_to_text
from dbplanet.text import clean_html, html_to_text
from dbplanet.text.layout import Document, Prose, item, labelled, one_line

Pairs = Iterable[tuple[str, object]]

_EXCERPT: Final = 300  # characters; a hit is metadata, not the content (Property 7)
_DEFAULT_PAGE_SIZE: Final = 20  # API §3.4
_NO_TITLE: Final = "(no title)"

# Fields of a profile (API §4.6) → what they are called here.
_PROPERTIES: Final = {
    "jobTitle": "job title",
    "department": "department",
    "location": "location",
    "phone": "phone",
    "mobile": "mobile",
}


def excerpt(value: Any) -> str | None:
    """Return an HTML excerpt as one line, its hits marked ``**so**``."""
    given = text(value)
    return _shortened(clean_html(given), _EXCERPT) or None if given else None


def _shortened(line: str, limit: int) -> str:
    return line if len(line) <= limit else f"{line[:limit].rstrip()}…"


def name_of(entity: Entity) -> str:
    """Return what an entity is called."""
    return one_line(_name(entity) or _NO_TITLE)


def is_named(entity: Entity) -> bool:
    """Tell whether an entity has a title or name; posts have none."""
    return _name(entity) is not None


def _name(entity: Entity) -> str | None:
    return first_text(entity.get("displayName"), entity.get("title"), entity.get("name"))


def count_of(page: Page) -> str:
    """Return how much of a list a page is: ``21–40 of 68``."""
    if not page.items:
        return "none" if not page.total else f"none on this page, {page.total} in all"
    last = page.first_index + len(page.items) - 1
    shown = f"{page.first_index}–{last}"
    return shown if page.total is None else f"{shown} of {page.total}"


def listing(
    title: str, page: Page, block: Callable[[Entity], tuple[str, Pairs]], *, tail: str = "", none: str = ""
) -> Document:
    """Return a page of entities as a document; ``block`` gives an entity's title and fields.

    ``tail`` says what to do with them, ``none`` what to do where there are none.
    """
    blocks = [numbered(page.first_index + offset, *block(entity)) for offset, entity in enumerate(page.items)]
    more = "" if page.last or not page.items else f" Next page: {_next(page)}."
    return Document(f"{title}: {count_of(page)}.{more}", blocks, tail if page.items else none)


def _next(page: Page) -> str:
    """Return the arguments of the next page; a size other than the default must be given again."""
    size = "" if page.size in (None, _DEFAULT_PAGE_SIZE) else f", pageSize={page.size}"
    return f"page={page.number + 1}{size}"


def numbered(number: int, title: str, pairs: Pairs) -> str:
    """Return one item of a list; its title is cleaned as its fields are."""
    return item(number, one_line(title), pairs)


def who(person: Any) -> str | None:
    """Return a person or other sender as ``name (id …)``."""
    entity = mapping(person)
    if not entity:
        return None
    known = entity_id(entity)
    return f"{name_of(entity)} (id {known})" if known else name_of(entity)


def hit(entity: Entity) -> tuple[str, Pairs]:
    """Return a search hit: what it is, and every id that opens it."""
    params, sender = target_params(entity), mapping(entity.get("sender"))
    kind = type_name(entity) or "unknown type"
    # posts have no title; their author and excerpt tell which one it is
    return f"{name_of(entity)} ({kind})" if is_named(entity) else kind, [
        ("id", entity_id(entity)),
        ("type", kind),
        ("app", params.get("appKey") if kind == "app" else None),
        ("appId", first_text(params.get("appId"), entity.get("appId"))),
        ("senderId", first_text(params.get("senderId"), entity.get("senderId"), entity_id(sender))),
        ("slug", first_text(entity.get("slug"), params.get("slug"))),
        ("in", name_of(sender) if sender else None),
        ("author", who(entity.get("author"))),
        ("modified", moment(entity.get("modified"))),
        ("excerpt", excerpt(first_text(entity.get("excerpt"), mapping(entity.get("data")).get("message")))),
    ]


def sender(entity: Entity) -> tuple[str, Pairs]:
    """Return a page, workspace or other sender in a list."""
    title, pairs = sender_details(entity)
    return title, [*pairs, ("description", excerpt(entity.get("description")))]


def sender_details(entity: Entity) -> tuple[str, Pairs]:
    """Return a page or workspace without its description."""
    return name_of(entity), [
        ("id", entity_id(entity)),
        ("slug", entity.get("slug")),
        ("type", type_name(entity)),
        ("visibility", words(entity.get("visibility"))),
        ("my membership", words(entity.get("membershipStatus"))),
        ("members", whole(entity.get("memberCount"))),
        ("subscribers", whole(entity.get("userSubscriptionsCount"))),
        ("categories", ", ".join(map(name_of, read_page(entity.get("categories")).items))),
        ("archived", yes_or_no(entity.get("archived"))),
        ("apps", ", ".join(map(_app, read_page(entity.get("topApps")).items))),
    ]


def _app(app: Entity) -> str:
    return f"{name_of(app)} ({app.get('key')}, id {entity_id(app)})"


def details(kind: str, entity: Entity, block: Callable[[Entity], tuple[str, Pairs]]) -> Document:
    """Return one entity as a document: its fields, then its whole description."""
    if not entity:
        return Document(f"{kind}: DB Planet answered without any content.")
    title, pairs = block(entity)
    description = text(entity.get("description"))
    # Requirement 10.2; no known tenant sends them here, but the specification says that some do.
    widgets = entity.get("layout") or entity.get("widgets")
    texts = [
        ("description", Prose(html_to_text(description)) if description else None),
        ("content", Prose(layout_to_text(widgets)) if widgets else None),
    ]
    blocks = [labelled(pairs), labelled(texts)]
    return Document(f"{kind}: {one_line(title)}", [part for part in blocks if part])


def person(entity: Entity) -> tuple[str, Pairs]:
    """Return a user's profile."""
    return name_of(entity), [
        ("id", entity_id(entity)),
        ("slug", entity.get("slug")),
        *_contact(entity),
        ("language", entity.get("language")),
        ("time zone", entity.get("timezone")),
        ("status", words(entity.get("status"))),
    ]


def _contact(user: Entity) -> Pairs:
    properties = mapping(user.get("properties"))
    return [
        *((label, properties.get(key)) for key, label in _PROPERTIES.items()),
        ("email", user.get("email")),
    ]


def member(entity: Entity) -> tuple[str, Pairs]:
    """Return a membership: flattened, or wrapping its user."""
    user = mapping(entity.get("user")) or entity
    return name_of(user), [
        ("id", first_text(entity.get("userId"), entity_id(user))),
        ("role", words(entity.get("role"))),
        ("status", words(entity.get("status"))),
        *_contact(user),
    ]
