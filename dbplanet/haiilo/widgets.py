"""The text of Haiilo's widgets, in reading order (haiilo-api.md §5.3 and §5.4).

A layout is what a tenant sends, so nothing about its shape is taken for granted: whatever is missing or of
another type than expected is passed over.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from dbplanet.text import clean_html, clean_text, html_to_text
from dbplanet.text.hygiene import neutralise_tags
from dbplanet.text.urls import absolute_url

_Settings = Mapping[str, Any]
_Renderer = Callable[[_Settings, str], list[str]]
"""A widget's settings and the page's address → its blocks of text."""

_HEADING_MARKS = {"XL": "#", "L": "##", "M": "###", "S": "####"}
_TEXT_KEY = re.compile(r"_?(html_content|html|md_text|text|title|headline|description|question|welcomeText)")
_HTML_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|&[a-zA-Z]+;")


def layout_to_text(layout: object, *, base_url: str = "") -> str:
    """The text of a layout's widgets as Markdown, by rows, columns and widgets.

    :param layout: a modern layout `{rows: [[{widgets: […]}]]}`, a classic one `{settings: {rows: […]},
        widgets: {slot: […]}}`, or a bare array of widgets; anything else has no text
    :param base_url: the page's absolute address, for relative links
    """
    texts = (_widget_text(widget, base_url) for widget in _widgets(layout))
    # once more over all of them: one widget's `<` and another's `>` must not make a tag either
    return neutralise_tags("\n\n".join(text for text in texts if text))


# From a layout to its widgets


def _widgets(layout: object) -> Iterator[Mapping[str, Any]]:
    """Every widget of a layout in reading order; iterative, since the nesting is the tenant's."""
    stack = [layout]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack += reversed(item)
        elif isinstance(item, Mapping):
            if isinstance(item.get("key"), str):
                yield item
            else:
                stack += reversed(_parts(item))


def _parts(container: Mapping[str, Any]) -> list[object]:
    """What a layout, a row or a column consists of."""
    slots = container.get("widgets")
    if isinstance(slots, Mapping):
        return _slots(container, slots)
    return [container.get(name) for name in ("rows", "columns", "slots", "widgets")]


def _slots(layout: Mapping[str, Any], slots: Mapping[str, Any]) -> list[object]:
    """The slots of a classic layout in the order of its rows; then those that no row names."""
    prefix = f"layout-{layout.get('name')}-slot-"
    names = [name for row in _dicts(_dict(layout, "settings").get("rows")) for name in _slot_names(row)]
    ordered = [key for name in names for key in (f"{prefix}{name}", name) if key in slots]
    return [slots[key] for key in dict.fromkeys([*ordered, *slots])]


def _slot_names(row: Mapping[str, Any]) -> list[str]:
    return [slot["name"] for slot in _dicts(row.get("slots")) if isinstance(slot.get("name"), str)]


# Reading settings


def _dict(settings: _Settings, name: str) -> Mapping[str, Any]:
    value = settings.get(name)
    return value if isinstance(value, Mapping) else {}


def _dicts(value: object) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _string(settings: _Settings, name: str) -> str:
    value = settings.get(name)
    return value if isinstance(value, str) else ""


def _line(settings: _Settings, name: str) -> str:
    """A plain field on one line."""
    return " ".join(clean_text(_string(settings, name)).split())


def _link(label: str, address: str, base_url: str) -> str:
    url = absolute_url(address, base_url)
    return f"[{label}]({url})" if label and url else label or url


def _reference(label: str, name: str, item_id: str, sender_id: str = "") -> list[str]:
    """A labelled line for something that is not text: `File: Plan.pdf (id f-1, sender s-1)`."""
    ids = ", ".join(f"{word} {value}" for word, value in (("id", item_id), ("sender", sender_id)) if value)
    parts = [name, f"({ids})" if ids else ""]
    described = " ".join(part for part in parts if part)
    return [f"{label}: {described}"] if described else []


def _listed(lines: list[str]) -> list[str]:
    return ["\n".join(f"- {line}" for line in lines)] if lines else []


# One renderer for each kind of widget


def _html(name: str) -> _Renderer:
    return lambda settings, base_url: [html_to_text(_string(settings, name), base_url=base_url)]


def _markdown(name: str) -> _Renderer:
    return lambda settings, base_url: [clean_text(_string(settings, name)).strip()]


def _labelled_link(label: str, name: str) -> _Renderer:
    def render(settings: _Settings, base_url: str) -> list[str]:
        url = absolute_url(_string(settings, name), base_url)
        return [f"{label}: {url}"] if url else []

    return render


def _article(label: str) -> _Renderer:
    return lambda settings, base_url: _reference(
        label, _line(settings, "title"), _line(settings, "_articleId")
    )


def _headline(settings: _Settings, base_url: str) -> list[str]:
    size = _line(_dict(settings, "_headline"), "size").upper()
    text = _line(settings, "text")
    return [f"{_HEADING_MARKS.get(size, '##')} {text}"] if text else []


def _button(settings: _Settings, base_url: str) -> list[str]:
    return [_link(_line(settings, "text"), _string(settings, "_url"), base_url)]


def _video(settings: _Settings, base_url: str) -> list[str]:
    link = _link(_line(settings, "title"), _string(settings, "url"), base_url)
    return [f"Video: {link}" if link else "", _markdown("description")(settings, base_url)[0]]


def _media(settings: _Settings, base_url: str) -> list[str]:
    album = _dict(settings, "album")
    facts = [_line(album, name) for name in ("title", "location") if _line(album, name)]
    items = [_named(item) for item in _dicts(settings.get("_media"))]
    return [
        f"Album: {', '.join(facts)}" if facts else "",
        clean_text(_string(album, "description")).strip(),
        *_listed([item for item in items if item]),
    ]


def _named(item: _Settings) -> str:
    return ": ".join(text for text in (_line(item, "name"), _line(item, "description")) if text)


def _image(settings: _Settings, base_url: str) -> list[str]:
    image = _dict(settings, "_image")
    name = _line(settings, "title") or _line(image, "name")
    return _reference("Image", name, _line(image, "id"), _line(image, "senderId"))


def _single_file(settings: _Settings, base_url: str) -> list[str]:
    return _reference(
        "File", _line(settings, "title"), _line(settings, "_fileId"), _line(settings, "_senderId")
    )


def _downloads(settings: _Settings, base_url: str) -> list[str]:
    lines = []
    for file in _dicts(settings.get("_files")):
        name = _line(file, "displayName") or _line(file, "name") or _line(file, "title")
        lines += _reference("File", name, _line(file, "id") or _line(file, "fileId"), _line(file, "senderId"))
    return _listed(lines)


def _teaser(settings: _Settings, base_url: str) -> list[str]:
    lines = []
    for slide in _dicts(settings.get("slides")):
        texts = [_line(slide, name) for name in ("headline", "subheadline") if _line(slide, name)]
        link = _link(": ".join(texts), _string(slide, "_url"), base_url)
        lines += [f"Teaser: {link}"] if link else []
    return _listed(lines)


def _poll(settings: _Settings, base_url: str) -> list[str]:
    question = _line(settings, "question")
    answers = [_line(option, "answer") for option in _dicts(settings.get("options"))]
    return [
        f"Poll: {question}" if question else "",
        clean_text(_string(settings, "description")).strip(),
        *_listed([answer for answer in answers if answer]),
    ]


def _bookmarks(settings: _Settings, base_url: str) -> list[str]:
    links = [
        _link(_line(item, "title"), _string(item, "url"), base_url)
        for item in _dicts(settings.get("_bookmarks"))
    ]
    return _listed([f"Bookmark: {link}" for link in links if link])


def _unknown(settings: _Settings, base_url: str) -> list[str]:
    """The strings under the keys that hold text in known widgets, wherever they are (§5.4)."""
    found = []
    stack: list[tuple[object, bool]] = [(settings, False)]
    while stack:
        value, is_text = stack.pop()
        if isinstance(value, Mapping):
            stack += ((item, is_text or _is_text_key(name)) for name, item in reversed(list(value.items())))
        elif isinstance(value, list):
            stack += ((item, is_text) for item in reversed(value))
        elif is_text and isinstance(value, str):
            is_html = _HTML_TAG.search(value)
            found.append(html_to_text(value, base_url=base_url) if is_html else clean_text(value).strip())
    return found


def _is_text_key(name: object) -> bool:
    return isinstance(name, str) and _TEXT_KEY.fullmatch(name) is not None


_RENDERERS: dict[str, _Renderer] = {
    "rte": _html("html_content"),
    "html": _html("html_content"),
    "code": _html("_html_content"),
    "text": _markdown("md_text"),
    "callout": _markdown("md_text"),
    "divider": _markdown("text"),
    "welcome": _markdown("welcomeText"),
    "headline": _headline,
    "button": _button,
    "video": _video,
    "media": _media,
    "image": _image,
    "singlefile": _single_file,
    "downloads": _downloads,
    "teaser": _teaser,
    "iframe": _labelled_link("Embedded page", "url"),
    "rss": _labelled_link("RSS feed", "rssUrl"),
    "poll": _poll,
    "bookmarking": _bookmarks,
    "blogarticle": _article("Blog article"),
    "wikiarticle": _article("Wiki article"),
}
# what they show is made anew for every reader, and none of it is in the layout
_DYNAMIC = frozenset(
    [
        "blog",
        "wiki",
        "hashtag",
        "userprofile",
        "useronline",
        "subscriptions",
        "suggestpages",
        "completeprofile",
        "personal-timeline",
    ]
)


def _widget_text(widget: Mapping[str, Any], base_url: str) -> str:
    if widget["key"] in _DYNAMIC:
        return ""
    settings = _dict(widget, "settings") or widget
    blocks = _text_blocks(_RENDERERS.get(widget["key"], _unknown)(settings, base_url))
    # a release of the tenant may have moved a known widget's text
    blocks = blocks or _text_blocks(_unknown(settings, base_url))
    return "\n\n".join([*_title(settings), *blocks]) if blocks else ""


def _text_blocks(blocks: list[str]) -> list[str]:
    return [block for block in blocks if block]


def _title(settings: _Settings) -> list[str]:
    titles = settings.get("_titles")
    first = titles[0] if isinstance(titles, list) and titles else ""
    title = clean_html(first) if isinstance(first, str) else ""
    return [f"### {title}"] if title else []
