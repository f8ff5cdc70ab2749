"""Reading the whole text of an item: the six content types of Requirement 11.2, each with its reader."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dbplanet.haiilo.articles import read_blog_article, read_timeline_item, read_wiki_article
from dbplanet.haiilo.places import place_reader, read_app
from dbplanet.haiilo.reading import Content, Reader, Reference

__all__ = ["READERS", "Content", "Reader", "Reference"]

READERS: Final[Mapping[str, Reader]] = {
    "blog-article": read_blog_article,
    "wiki-article": read_wiki_article,
    "page": place_reader("page"),
    "workspace": place_reader("workspace"),
    "app": read_app,
    "timeline-item": read_timeline_item,
}
"""Content type → reader."""
