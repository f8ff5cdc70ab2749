"""What a Content-Type says: JSON, text in some charset, or anything else."""

from __future__ import annotations

import codecs
import encodings
import re
from collections.abc import Mapping
from encodings.aliases import aliases
from typing import Final

_CHARSET: Final = re.compile(r';\s*charset\s*=\s*"?([A-Za-z0-9._:-]{1,40})', re.IGNORECASE)
_JSON: Final = re.compile(r"(?:application|text)/json|[^/;]+/[^/;]+\+json")
_TEXT: Final = re.compile(r"text/.+|[^/;]+/[^/;]+\+(?:xml|yaml)")
_TEXT_TYPES: Final = frozenset(
    f"application/{subtype}"
    for subtype in (
        *("xml", "xml-dtd", "javascript", "x-javascript", "ecmascript", "yaml", "x-yaml", "toml", "sql"),
        *("x-www-form-urlencoded", "ndjson", "x-ndjson", "jsonl", "jsonlines", "json-seq", "graphql", "jwt"),
    )
)
#: Python's own codecs that are no charset of text on the Web
_NO_CHARSETS: Final = frozenset(
    {"base64_codec", "bz2_codec", "hex_codec", "quopri_codec", "rot_13", "uu_codec", "zlib_codec"}
    | {"mbcs", "utf_7"}
)
#: the modules of the charsets; looking up other names would import, and remember, what a server makes up
_CHARSETS: Final = frozenset(aliases.values()) - _NO_CHARSETS

#: the longer marks first: UTF-32's begins like UTF-16's
_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def content_type_of(headers: Mapping[str, str]) -> str | None:
    """Return the value of the Content-Type header, in whatever case its name is; None for an empty one."""
    values = (value for name, value in headers.items() if name.lower() == "content-type")
    return next(filter(str.strip, values), None)


def media_type(content_type: str) -> str:
    """Return type and subtype in lower case, without parameters."""
    return content_type.partition(";")[0].strip().lower()


def is_json_type(content_type: str) -> bool:
    """Tell whether a body of this type is one JSON value."""
    return _JSON.fullmatch(media_type(content_type)) is not None


def is_text_type(content_type: str) -> bool:
    """Tell whether a body of this type is text."""
    name = media_type(content_type)
    return name in _TEXT_TYPES or _TEXT.fullmatch(name) is not None


def charset_of(content_type: str) -> str | None:
    """Return Python's name of the charset that is given; None for none and for what is no charset."""
    given = _CHARSET.search(content_type)
    if given is None:
        return None
    name = encodings.normalize_encoding(given[1]).lower()
    codec = aliases.get(name, name)
    return codec if codec in _CHARSETS else None


def decode_text(body: bytes, charset: str | None) -> str:
    """Return a text body: by its byte order mark, by its charset, else as UTF-8; U+FFFD for what is not."""
    for mark, codec in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(codec, "replace")
    return body.decode(charset or "utf-8", "replace")
