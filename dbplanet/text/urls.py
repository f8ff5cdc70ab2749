"""The targets of links: absolute, of a harmless kind, and written so that they end where Markdown thinks."""

import re
from urllib.parse import quote, urljoin

from dbplanet.text.hygiene import replace_surrogates, strip_controls, strip_invisible

_KEPT_SCHEMES = frozenset({"http", "https", "mailto", "tel"})
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.\-]*):")
_DROPPED_BY_BROWSERS = re.compile(r"[\t\n]")  # so `java\nscript:` is a scheme too
_BREAKS_MARKDOWN = re.compile(r"[\s<>()\\\"`|]")


def absolute_url(reference: str, base_url: str) -> str:
    """Resolve a link's target.

    :param reference: the attribute's value, entities decoded
    :param base_url: the page's address; when empty a relative target stays relative
    :return: the address, or "" for what must not or cannot be followed: other schemes than http, https,
        mailto and tel, an anchor within the page, an address that does not parse
    """
    target = reference if reference.isascii() and reference.isprintable() else _visible(reference)
    target = target.strip()
    scheme = _SCHEME.match(target)
    if not target or target.startswith("#") or (scheme and scheme[1].lower() not in _KEPT_SCHEMES):
        return ""
    try:
        address = target if scheme or not base_url else urljoin(base_url, target)
    except ValueError:
        return ""
    return _BREAKS_MARKDOWN.sub(_percent_encoded, address)


def _visible(reference: str) -> str:
    return _DROPPED_BY_BROWSERS.sub("", strip_invisible(strip_controls(replace_surrogates(reference))))


def _percent_encoded(char: re.Match[str]) -> str:
    return quote(char[0], safe="")
