"""The tenant's search index: what is indexed of an entity, and which entities a term finds."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from typing import Any

from .access import Viewer
from .folding import fold
from .store import Document, Store

# Where widgets keep text that a reader sees (reference/haiilo-api.md §5.4).
_TEXT_KEYS = frozenset(
    {
        *("html_content", "_html_content", "md_text", "text", "welcomeText"),
        *("title", "headline", "subheadline", "description", "question", "answer", "location", "name"),
    }
)
_FIELDS = ("description", "teaserText", "place")
_BLOCK = re.compile(r"</?(?:p|br|div|h\d|[ou]l|li|d[ltd]|table|t[rdh]|pre|blockquote)\b", re.IGNORECASE)
_TAG = re.compile(r"<(script|style)\b.*?</\1>|<!--.*?-->|<[^>]*>", re.DOTALL | re.IGNORECASE)
_TOKEN = re.compile(r'"([^"]*)"|(\S+)')


def widget_text(node: Any, key: str = "") -> Iterator[str]:
    """Yield every text of a layout, without markup."""
    if isinstance(node, dict):
        for name, value in node.items():
            yield from widget_text(value, name)
    elif isinstance(node, list):
        for item in node:
            yield from widget_text(item, key)
    elif isinstance(node, str) and key in _TEXT_KEYS:
        yield _without_markup(node)


def _without_markup(text: str) -> str:
    spaced = _BLOCK.sub(r" \g<0>", text)
    return " ".join(html.unescape(_TAG.sub("", spaced)).split())


def _texts(store: Store, document: Document) -> Iterator[str]:
    yield from (document[field] for field in _FIELDS if document.get(field))
    yield from document.get("properties", {}).values()
    yield document.get("data", {}).get("message", "")
    for row in store.rows("SELECT body FROM layout WHERE parent = ? AND name LIKE ?", *_layouts(document)):
        yield from widget_text(json.loads(row["body"]))
    for comment in store.documents("comment", owner=document["id"]):
        yield comment["message"]


def _layouts(document: Document) -> tuple[str, str]:
    """Return parent and name pattern of the layouts a reader sees: of a wiki article the latest revision."""
    revision = document.get("revisionNumber")
    return document["id"], "%" if revision is None else f"%-{revision}"


def index(store: Store, document: Document) -> None:
    """Put an entity into the index, or renew it there after a change."""
    container = document.get("senderId") or (document.get("_recipients") or [document["id"]])[0]
    title = document.get("displayName", "")
    text = " ".join(" ".join(_texts(store, document)).split())
    values = (document["id"], document["typeName"], container, document["modified"], title, text)
    store.execute(
        "INSERT OR REPLACE INTO fulltext VALUES (?, ?, ?, ?, ?, ?, ?, ?)", *values, fold(title), fold(text)
    )


def parse_term(term: str) -> list[list[str]]:
    """Return a term as alternatives of folded words that must all occur.

    Words are joined by AND, ``OR`` between them separates alternatives, ``"…"`` keeps words together,
    a trailing ``*`` is allowed and changes nothing, since a word also finds its compounds.
    """
    alternatives: list[list[str]] = [[]]
    for phrase, word in _TOKEN.findall(term):
        if word == "OR":
            alternatives.append([])
        else:
            alternatives[-1].append(fold(phrase or word.rstrip("*")))
    return [words for words in ([w for w in words if w] for words in alternatives) if words]


def find(viewer: Viewer, alternatives: list[list[str]]) -> list[Document]:
    """Return index entries ``{id, typeName, container, modified, text}`` that this user may see, best first.

    Hits in the title come before hits in the text, newer ones before older ones.
    """
    groups = [
        " AND ".join(["instr(folded_title || char(10) || folded, ?)"] * len(words)) for words in alternatives
    ]
    if not groups:
        return []
    words = [word for words in alternatives for word in words]
    condition = " OR ".join(f"({group})" for group in groups)
    in_title = " + ".join(["(instr(folded_title, ?) > 0)"] * len(words))
    sql = (
        "SELECT id, type AS typeName, container, modified, text FROM fulltext"  # noqa: S608 - only placeholders
        f" WHERE {condition} ORDER BY {in_title} DESC, modified DESC, id"
    )
    hits = [dict(row) for row in viewer.store.rows(sql, *words, *words)]
    return [hit for hit in hits if _visible(viewer, hit)]


def _visible(viewer: Viewer, hit: Document) -> bool:
    document = viewer.store.get(hit["id"])
    return document is not None and viewer.sees(document)
