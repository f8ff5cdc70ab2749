"""Other forms of the specification's routes: queries mapped, answers put into the same shape (API §6).

Each returns what the specification's route would, so that no tool knows of generations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dbplanet.haiilo.errors import StatusError
from dbplanet.haiilo.merging import beginning, merged, window
from dbplanet.haiilo.paths import query_string, segment
from dbplanet.haiilo.shapes import Entity, entity_id, mapping, read_page, text, type_name, whole
from dbplanet.haiilo.variants import Asked, Request

COMMENTED_TYPES: Final = ("blog-article", "timeline-item", "wiki-article", "file", "list-entry")
"""What can have comments (API §4.8)."""

BLOGS_MERGED: Final = "_blogsMerged"
"""The field of a news feed that tells of how many blogs it was put together here."""

_CATEGORIES: Final = ("DISCUSSION", "ACTIVITY")
_GROUPED_HITS: Final = 50  # hits that groups are made of
_GROUP: Final = 3  # hits shown of one group, as the platform does
_BLOGS: Final = 20  # blogs that a news feed is put together from
_NOT_FOR_ONE: Final = frozenset({403, 404})


# search


def global_search(params: Mapping[str, Any]) -> dict[str, Any]:
    """Map ``/search`` onto ``/global-search`` (API §4.1, seen in 2025).

    Its ``sort`` is called as Spring calls it, so its paging may be too: both spellings are sent.
    """
    number, size = params.get("_page"), params.get("_pageSize")
    return {
        "searchTerm": params["term"],
        "sort": "SCORE,desc",
        "semanticEnabled": False,
        "language": "de",
        "fallbackLanguage": "en",
        "operator": "AND",
        "skipAggregations": "aggregations" not in params,
        "filters": params.get("filters"),
        "_page": number,
        "_pageSize": size,
        "page": number,
        "size": size,
    }


def found_hits(data: Any) -> Any:
    """Return the page of hits; the answer's shape is not known in public, so it may be a field of it."""
    pages = [value for value in mapping(data).values() if isinstance(mapping(value).get("content"), list)]
    if "content" in mapping(data) or not pages:
        return data
    return {**pages[0], "aggregations": pages[0].get("aggregations") or mapping(data).get("aggregations")}


def for_groups(params: Mapping[str, Any]) -> dict[str, Any]:
    """Map a grouped search onto a search whose hits and counts make the groups."""
    return {**params, "_pageSize": _GROUPED_HITS, "aggregations": f"type={_GROUPED_HITS}"}


def group_by_type(data: Any) -> list[Entity]:
    """Return search results as groups: the best hits of each type and, where it is told, its count."""
    page, groups = read_page(data), dict[str, list[Entity]]()
    for hit in page.items:
        groups.setdefault(type_name(hit) or "unknown", []).append(hit)
    counts = _type_counts(mapping(data).get("aggregations"))
    if not counts and page.last:
        counts = {kind: len(hits) for kind, hits in groups.items()}
    kinds = dict.fromkeys((*groups, *counts))
    return [_group(kind, groups.get(kind, []), counts.get(kind)) for kind in kinds]


def _group(kind: str, hits: list[Entity], count: int | None) -> Entity:
    return {"typeName": kind, "page": {"content": hits[:_GROUP], "totalElements": count, "size": _GROUP}}


def _type_counts(aggregations: Any) -> dict[str, int]:
    buckets = read_page(mapping(aggregations).get("type")).items
    pairs = [(text(bucket.get("key")), whole(bucket.get("count"))) for bucket in buckets]
    return {key: count for key, count in pairs if key is not None and count}


# news, notifications, comments, likes


def blogs_of_pages(request: Request, asked: Asked) -> Any:
    """Put a news feed together from the blogs of the user's pages, or of all where they follow none."""
    number, size = window(asked.params)
    followed = {"filters": query_string({"status": "SUBSCRIBED"}), "_pageSize": _BLOGS}
    pages = read_page(request("GET", "/api/pages", followed)).items
    if not pages:
        pages = read_page(request("GET", "/api/pages", {"_pageSize": _BLOGS})).items
    blogs = [(page, app) for page in pages for app in read_page(page.get("topApps")).items]
    blogs = [(page, app) for page, app in blogs if app.get("key") == "blog"][:_BLOGS]
    pieces = [_articles(request, page, app, (number + 1) * size) for page, app in blogs]
    return {**merged(pieces, number, size, by="publishDate"), BLOGS_MERGED: len(blogs)}


def _articles(request: Request, page: Entity, app: Entity, wanted: int) -> tuple[list[Entity], int | None]:
    path = f"/api/senders/{_quoted(page)}/apps/{_quoted(app)}/blog/articles"
    try:
        found, total = beginning(request, path, {"_orderBy": "publishDate,DESC"}, wanted)
    except StatusError as error:
        if error.status not in _NOT_FOR_ONE:
            raise
        return [], 0
    return [{"sender": page, "app": app, **article} for article in found], total


def _quoted(entity: Entity) -> str:
    return segment(entity_id(entity) or "unknown")


def both_categories(request: Request, asked: Asked) -> Any:
    """Merge the notifications of both categories by time, where a tenant asks for one of them."""
    number, size = window(asked.params)
    pieces = [
        beginning(request, "/api/notifications", {"category": category}, (number + 1) * size)
        for category in _CATEGORIES
    ]
    return merged(pieces, number, size, by="created")


def mark_both_seen(request: Request, asked: Asked) -> None:
    """Mark the notifications of both categories as seen, where a tenant takes one at a time."""
    for category in _CATEGORIES:
        request("PUT", "/api/notifications/action/mark-seen", {"category": category})


def comments_of_any_type(request: Request, asked: Asked) -> Any:
    """Ask for the comments by each type that the target may have; the tenant refuses to guess."""
    empty, refusal = None, StatusError(404)
    for target_type in COMMENTED_TYPES:
        try:
            data = request("GET", "/api/comments", {**asked.params, "targetType": target_type})
        except StatusError as error:
            if error.status not in (400, 404):
                raise
            refusal = error
            continue
        if read_page(data).items:
            return data
        empty = empty or data
    if empty is None:
        raise refusal
    return empty


def reactions(request: Request, asked: Asked) -> Any:
    """Map reactions onto likes: their number, the latest, whether the user's is there, and the kinds."""
    latest = read_page(request("GET", asked.fill("/api/reaction-targets/{}/{}/reactions")))
    senders = [mapping(reaction.get("sender")) for reaction in latest.items]
    user = asked.params.get("senderId")
    own = user is not None and user in map(entity_id, senders)
    kinds = [kind for reaction in latest.items if (kind := text(reaction.get("reactionType")))]
    return {
        "count": latest.total,
        # somebody who is not among the latest may be among the rest
        "likedBySender": own if own or latest.last else None,
        "latest": senders[:_GROUP],
        "reactionTypes": kinds if latest.last else [],
    }


# widgets


def slot(request: Request, asked: Asked) -> Any:
    """Read one slot of the oldest generation: an array of widgets."""
    parent_type, parent_id, _ = asked.ids
    return request("GET", asked.fill("/api/widgets/{2}"), {"parentId": parent_id, "parentType": parent_type})


def slot_with_widgets(request: Request, asked: Asked) -> Any:
    """Read a slot that is there only when it has widgets: an unknown name is an empty one."""
    return slot(request, asked) or _not_found()


def _not_found() -> Any:
    raise StatusError(404)


def with_widgets(params: Mapping[str, Any]) -> dict[str, Any]:
    """Ask for a layout together with its widgets."""
    return {**params, "includeWidgets": True}
