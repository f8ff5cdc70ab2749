"""Widgets, which hold the text of articles, apps and places, in the layouts of two generations."""

from __future__ import annotations

import re

from flask import request

from dbplanet.sandbox.context import SENDER_TYPES, store, viewer, visible
from dbplanet.sandbox.errors import not_found
from dbplanet.sandbox.store import Document
from dbplanet.sandbox.views import plain

from .memberships import require

_WIDGET_PARENTS = (*SENDER_TYPES, "blog-article", "wiki-article", "app")
_SLOT = re.compile(r"(page|workspace|event)-(content|sidebar-top|sidebar-bottom)")


def layout(parent_type: str, parent_id: str, layout_name: str) -> Document:
    """Answer ``GET /{parentType}/{parentId}/widgets/{layoutName}`` with ``{rows: [[{cols, widgets}]]}``.

    A wiki article's layout without the revision is the latest one's; fixed slots of a sender always exist.
    """
    found = _layout(_parent(parent_type, parent_id), layout_name)
    if found is None:
        raise not_found("layout")
    return plain(found)


def _parent(parent_type: str, parent_id: str) -> Document:
    """Return what widgets belong to; 404 where one may not read what it is in."""
    if parent_type not in _WIDGET_PARENTS:
        raise not_found("layout")
    parent = visible(parent_type, parent_id)
    if not viewer().reads(store().get(parent.get("senderId") or parent["id"])):
        raise not_found("layout")
    return parent


def classic_layout(layout_name: str) -> Document:
    """Answer ``GET /widget-layouts/{layoutName}``: rows of slots, ``includeWidgets=true`` adds the widgets.

    The name alone finds a layout; fixed slots have none.
    """
    rows = store().rows("SELECT parent, body FROM layout WHERE name = ?", layout_name)
    if not rows or _SLOT.fullmatch(layout_name):
        raise not_found("layout")
    parent = store().get(rows[0]["parent"]) or {}
    found = _layout(_parent(parent["typeName"], parent["id"]), layout_name) or {}
    return _classic(layout_name, found, with_widgets=request.args.get("includeWidgets") == "true")


def _classic(name: str, layout: Document, *, with_widgets: bool) -> Document:
    """Return a layout as the oldest generation has it: slots by name, widgets apart from them."""
    rows, widgets = [], {}
    for number, columns in enumerate(layout.get("rows", [])):
        slots = []
        for position, column in enumerate(columns):
            slot = f"{number}-{position}"
            slots.append({"name": slot, "cols": column.get("cols", 12)})
            widgets[f"layout-{name}-slot-{slot}"] = column.get("widgets", [])
        rows.append({"name": f"row-{number}", "slots": slots})
    shown = {"name": name, "settings": {"rows": rows}}
    return {**shown, "widgets": widgets} if with_widgets else shown


def slot(slot_name: str) -> list[Document]:
    """Answer ``GET /widgets/{slotName}?parentId=&parentType=``: an array, empty for an unknown slot."""
    require(request.args, "parentId", "parentType")
    parent = _parent(request.args["parentType"], request.args["parentId"])
    layout = _layout(parent, slot_name) if _SLOT.fullmatch(slot_name) else None
    rows = (layout or {}).get("rows", [])
    return [widget for columns in rows for column in columns for widget in column.get("widgets", [])]


def _layout(parent: Document, name: str) -> Document | None:
    found = store().layout(parent["id"], name)
    slot = _SLOT.fullmatch(name)
    if found is None and slot is not None and slot[1] == parent["typeName"]:
        return {"rows": []}
    if found is None and name == f"app-wiki-{parent.get('appId')}-{parent['id']}":
        return store().layout(parent["id"], f"{name}-{parent['revisionNumber']}")
    return found
