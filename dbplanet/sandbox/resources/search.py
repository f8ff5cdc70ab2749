"""Full-text search, the quick entity search and the grouped search."""

from __future__ import annotations

from collections import Counter
from typing import Any

from flask import request

from dbplanet.sandbox.clock import DAY_MS, now_ms
from dbplanet.sandbox.context import store, viewer
from dbplanet.sandbox.errors import invalid
from dbplanet.sandbox.folding import excerpt, fold
from dbplanet.sandbox.fulltext import find, parse_term
from dbplanet.sandbox.paging import DEFAULT_SIZE, MAX_SIZE, Window, inner_query, number, page_of, wanted
from dbplanet.sandbox.store import Document
from dbplanet.sandbox.views import card, core

_PERIODS = {"LAST_WEEK": 7, "LAST_MONTH": 31, "LAST_YEAR": 365}
_QUICK_TYPES = ("page", "workspace", "user", "event")
_GROUP_SIZE = 3
_BUCKETS = 20
_MAX_WORDS = 100


def _term(name: str = "term") -> str:
    term = request.args.get(name, "").strip()
    if not term:
        raise invalid(**{name: "NotBlank"})
    return term


def _in_period(hit: Document, period: str) -> bool:
    days = _PERIODS.get(period)
    if days is None:
        raise invalid(modified="Invalid")
    return bool(hit["modified"] >= now_ms() - days * DAY_MS)


def _filtered(hits: list[Document]) -> list[Document]:
    """Apply ``filters`` with the keys ``type``, ``modified`` and ``sender``."""
    filters = inner_query("filters")
    periods = filters.get("modified", [])
    return [
        hit
        for hit in hits
        if wanted(filters, "type", hit["typeName"])
        and wanted(filters, "sender", hit["container"])
        and (not periods or any(_in_period(hit, period) for period in periods))
    ]


def _hits(term: str) -> tuple[list[Document], list[str]]:
    """Return the filtered hits of a term and the folded words to mark in them."""
    viewer().require("SEARCH")
    alternatives = parse_term(term)
    words = [word for group in alternatives for word in group]
    if len(words) > _MAX_WORDS:
        raise invalid(term="Size")
    return _filtered(find(viewer(), alternatives)), words


def _result(hit: Document, words: list[str]) -> Document:
    document = store().get(hit["id"]) or {}
    shown = {
        "id": hit["id"],
        "typeName": hit["typeName"],
        "displayName": document.get("displayName", ""),
        "excerpt": excerpt(hit["text"], words),
        "modified": hit["modified"],
        "target": document["target"],
    }
    if "slug" in document and hit["typeName"] != "app":
        shown |= {"slug": document["slug"], "imageUrls": document["imageUrls"]}
    if hit["container"] != hit["id"]:
        shown["sender"] = card(hit["container"])
    if "_author" in document:
        shown["author"] = card(document["_author"])
    return shown


def _count(keys: list[str], size: int) -> list[dict[str, Any]]:
    return [{"key": key, "count": count} for key, count in Counter(keys).most_common(size)]


def _senders(hits: list[Document], size: int) -> list[dict[str, Any]]:
    buckets = _count([hit["container"] for hit in hits if hit["container"] != hit["id"]], size)
    return [{**bucket, "data": card(bucket["key"])} for bucket in buckets]


def _periods(hits: list[Document], _: int) -> list[dict[str, Any]]:
    counts = {period: sum(_in_period(hit, period) for hit in hits) for period in _PERIODS}
    return [{"key": key, "count": count, "data": {"total": len(hits)}} for key, count in counts.items()]


_AGGREGATIONS = {
    "type": lambda hits, size: _count([hit["typeName"] for hit in hits], size),
    "modified": _periods,
    "sender": _senders,
}


def _aggregations(hits: list[Document]) -> dict[str, Any]:
    """Answer ``aggregations``: buckets by name, as many as asked for."""
    asked = inner_query("aggregations")
    sizes = {name: values[0] for name, values in asked.items() if name in _AGGREGATIONS}
    return {
        name: _AGGREGATIONS[name](hits, int(size) if size.isdigit() else _BUCKETS)
        for name, size in sizes.items()
    }


def search() -> Document:
    """Answer ``GET /search``: a page of hits with excerpts, ``aggregations`` if asked for."""
    hits, words = _hits(_term())
    page = page_of(hits, lambda hit: _result(hit, words))
    return page | {"aggregations": _aggregations(hits)} if "aggregations" in request.args else page


def global_search() -> Document:
    """Answer ``GET /global-search?searchTerm=``: hits as of ``/search``, paged by ``page`` and ``size``.

    The answer's shape is not known in public; aggregations are there unless ``skipAggregations=true``.
    """
    hits, words = _hits(_term("searchTerm"))
    size = min(number("size", DEFAULT_SIZE, 1), MAX_SIZE)
    shown = Window(number("page", 0, 0) * size, size)
    page = page_of(hits, lambda hit: _result(hit, words), shown=shown)
    if request.args.get("skipAggregations") == "true":
        return page
    buckets = {name: count(hits, _BUCKETS) for name, count in _AGGREGATIONS.items()}
    return page | {"aggregations": buckets}


def grouped() -> list[Document]:
    """Answer ``GET /search/grouped``: per type the three best hits and the total."""
    hits, words = _hits(_term())
    groups: dict[str, list[Document]] = {}
    for hit in hits:
        groups.setdefault(hit["typeName"], []).append(hit)
    first = Window(0, _GROUP_SIZE)
    return [
        {"typeName": type_name, "page": page_of(found, lambda hit: _result(hit, words), shown=first)}
        for type_name, found in groups.items()
    ]


def quick() -> Document:
    """Answer ``GET /quick-entity-search``: pages, workspaces, users and events by name.

    ``GET /senders/search`` answers the same.
    """
    viewer().require("SEARCH")
    term = fold(_term())
    found = [
        document
        for type_name in _QUICK_TYPES
        for document in store().documents(type_name)
        if term in fold(document["displayName"]) and viewer().sees(document)
    ]
    return page_of(found, core)
