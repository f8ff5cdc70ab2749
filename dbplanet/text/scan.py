"""The linear pass before the parser: HTML in, the few tokens out that a reading of the page depends on.

html5lib is far from linear on hostile input, so it never sees any: comments, scripts, unknown and merely
decorative elements, and all attributes but a handful end here; text between what is left comes out as one
token. Each character of the input is looked at a bounded number of times.
"""

import re
from collections.abc import Iterator, Mapping
from html import unescape
from html.entities import html5 as named_references
from types import MappingProxyType
from typing import Literal, NamedTuple

from dbplanet.text.hygiene import strip_controls, strip_invisible

BREAK = "\x02"
"""A forced line break within text (`<br>`); no text can hold this character, since controls are removed."""

Kind = Literal["text", "start", "end"]


class Token(NamedTuple):
    """A run of text, or a tag of an element that the caller asked for."""

    kind: Kind
    data: str
    """The text, decoded, or the element's name after renaming."""
    attributes: Mapping[str, str] = MappingProxyType({})


# what an element stands for, when it is not a structure
_TEXT_FOR = {"br": BREAK, "q": '"', "del": "~~", "s": "~~", "strike": "~~"}
_IMAGES = frozenset({"img", "image", "area"})
_EMBEDDED = frozenset({"iframe", "embed", "video", "audio"})
_ATTRIBUTES = {
    "a": ("href",),
    "ol": ("start",),
    "li": ("value",),
    "td": ("colspan", "rowspan"),
    "th": ("colspan", "rowspan"),
}
_CONTENT_END = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE | re.ASCII)
    for name in ("script", "style", "iframe")
}
_NEVER_SHOWN = frozenset({"script", "style"})

# the lookahead keeps a failing match from trying every shorter name
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)(?=[\s/>])([^>\"'=]*)>")
_TAG_NAME = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_VALUE_OR_END = re.compile(r"=\s*(?:([\"'])|[^\s>]*)|>")
_ATTRIBUTE = re.compile(r"([^\s/>=]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]*)))?")
_COMMENT_END = re.compile(r"--!?>")

# more digits than any character has; to convert thousands of them is an error
_LEADING_ZEROS = re.compile(r"(&#[xX]?)0+(?=[0-9a-fA-F])")
_HUGE_REFERENCE = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{7,});?")
_REFERENCE = re.compile(r"&(?:#(?:[0-9]+|[xX][0-9a-fA-F]+);?|([a-zA-Z][a-zA-Z0-9]{1,31};?))")


def _decode(text: str) -> str:
    if "&" not in text:
        return text
    return strip_controls(unescape(_bounded_references(text)))


def _bounded_references(text: str) -> str:
    if "&#" not in text:
        return text
    return _HUGE_REFERENCE.sub("\ufffd", _LEADING_ZEROS.sub(r"\1", text))


def _decode_in_attribute(reference: re.Match[str]) -> str:
    # unlike text: `&copy=1` within an address is no copyright sign
    name = reference[1]
    if name is None:
        return unescape(reference[0])
    following = reference.string[reference.end() : reference.end() + 1]
    if not name.endswith(";") and (following == "=" or following.isalnum()):
        return reference[0]
    return named_references.get(name, reference[0])


def _decode_attribute(value: str) -> str:
    if "&" not in value:
        return value
    return strip_controls(_REFERENCE.sub(_decode_in_attribute, _bounded_references(value)))


def _attributes(source: str, wanted: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(source):
        name = match[1].lower()
        if name in wanted and name not in found:
            found[name] = _decode_attribute(match[2] or match[3] or match[4] or "")
            if len(found) == len(wanted):
                break
    return found


class Scanner:
    """Reads one HTML text, once.

    :param html: any text at all
    :param structures: element name → the name to report it by; the tags of all others vanish, not their text
    :param breaking: the elements that leave a space where their tag vanishes
    """

    def __init__(
        self, html: str, structures: Mapping[str, str], breaking: frozenset[str] = frozenset()
    ) -> None:
        self._html = strip_controls(html)
        self._structures = structures
        self._breaking = breaking
        self._position = 0
        self._last_tag_end = self._html.rfind(">")
        self._last_comment_end = max(self._html.rfind("-->"), self._html.rfind("--!>"))
        self._quotes_close = True
        self._without_end: set[str] = set()
        self._text: list[str] = []
        self._tokens: list[Token] = []
        self._ends = {name: Token("end", name) for name in structures.values()}
        self._starts = {name: Token("start", name) for name in structures.values()}

    def tokens(self) -> Iterator[Token]:
        """Yield the tokens in order."""
        html = self._html
        while (start := html.find("<", self._position)) >= 0 and start < self._last_tag_end:
            if start > self._position:
                self._text.append(_decode(html[self._position : start]))
            self._read_markup(start)
            if self._tokens:
                yield from self._tokens
                self._tokens.clear()
        self._text.append(_decode(html[self._position :]))
        self._end_text()
        yield from self._tokens

    def _end_text(self) -> None:
        text = strip_invisible("".join(self._text))
        self._text.clear()
        if text:
            self._tokens.append(Token("text", text))

    def _read_markup(self, start: int) -> None:
        if match := _TAG.match(self._html, start):
            self._position = match.end()
            source = match[3]
        elif match := _TAG_NAME.match(self._html, start):
            end = self._tag_end(match.end())
            source = self._html[match.end() : end]
            self._position = end + 1
        else:
            self._read_other(start)
            return
        self._read_tag(match[1] == "/", match[2].lower(), source)

    def _tag_end(self, start: int) -> int:
        """The index of the `>` that ends the tag, as far as its quotes make sense."""
        position = start
        while self._quotes_close and (match := _VALUE_OR_END.search(self._html, position)):
            if match[0] == ">":
                return match.start()
            position = match.end()
            if match[1]:
                position = self._html.find(match[1], position) + 1
                if not position:
                    break
        # A quote that never closes would swallow the rest of the page, and once for every tag.
        self._quotes_close = False
        return self._html.find(">", start)

    def _read_other(self, start: int) -> None:
        """Skip a comment, a doctype, a processing instruction or an empty tag; or keep `<` as text."""
        html = self._html
        if html.startswith("<!--", start):
            self._position = self._comment_end(start)
        elif html[start + 1] in "!?/":
            self._position = html.find(">", start) + 1
        else:
            self._text.append("<")
            self._position = start + 1

    def _comment_end(self, start: int) -> int:
        for empty in ("<!-->", "<!--->"):
            if self._html.startswith(empty, start):
                return start + len(empty)
        if start > self._last_comment_end:
            return start + len("<!--")  # never closed: the text behind it is the page's
        match = _COMMENT_END.search(self._html, start + len("<!--"))
        return match.end() if match else start + len("<!--")

    def _read_tag(self, closing: bool, name: str, source: str) -> None:
        if name in self._structures:
            self._read_structure(closing, self._structures[name], source)
        elif name in self._breaking:
            self._text.append(" ")
        elif name in _TEXT_FOR:
            self._text.append(_TEXT_FOR[name])
        elif not closing:
            self._read_replaced(name, source)

    def _read_structure(self, closing: bool, name: str, source: str) -> None:
        if self._text:
            self._end_text()
        if closing:
            self._tokens.append(self._ends[name])
        elif source and name in _ATTRIBUTES:
            self._tokens.append(Token("start", name, _attributes(source, _ATTRIBUTES[name])))
        else:
            self._tokens.append(self._starts[name])

    def _read_replaced(self, name: str, source: str) -> None:
        """An element whose content is not its text: an image, a frame, a script."""
        if name in _IMAGES:
            found = _attributes(source, ("alt", "title"))
            self._text.append(found.get("alt") or found.get("title") or "")
        elif name in _EMBEDDED:
            self._read_embedded(source)
        if name in _CONTENT_END and name not in self._without_end:
            self._skip_content(name)

    def _read_embedded(self, source: str) -> None:
        found = _attributes(source, ("src", "title"))
        if "a" in self._structures and "src" in found:
            self._end_text()
            self._tokens.append(Token("start", "a", {"href": found["src"]}))
            self._text.append(found.get("title", ""))
            self._end_text()
            self._tokens.append(self._ends["a"])

    def _skip_content(self, name: str) -> None:
        match = _CONTENT_END[name].search(self._html, self._position)
        if match:
            self._position = match.start()
        elif name in _NEVER_SHOWN:
            self._position = len(self._html)
        else:
            self._without_end.add(name)
