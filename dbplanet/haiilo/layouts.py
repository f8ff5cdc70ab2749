"""Layouts: in which language, and where their text is (API §5.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dbplanet.haiilo.client import HaiiloClient
from dbplanet.haiilo.errors import StatusError
from dbplanet.haiilo.generations import LAYOUT, SLOT
from dbplanet.haiilo.shapes import Entity, mapping, text
from dbplanet.haiilo.variants import Route
from dbplanet.haiilo.widgets import layout_to_text


@dataclass(frozen=True)
class Language:
    """The wanted language of a text; ``suffix`` is what its layout's name ends with, None for the default."""

    wanted: str | None = None
    suffix: str | None = None

    def title_of(self, entity: Entity, name: str) -> str | None:
        """Return a field in this language: the translation's where there is one, else the entity's own."""
        translation = mapping(mapping(entity.get("translations")).get(self.suffix or ""))
        return text(translation.get(name)) or text(entity.get(name))


def language_of(client: HaiiloClient, wanted: str | None, entity: Entity) -> Language:
    """Return the language to read ``entity`` in: the wanted one, else the user's if it is translated to it.

    Only a language other than the entity's default has layouts of its own.
    """
    translations = entity.get("translations")
    if wanted is None and isinstance(translations, Mapping) and translations:
        own = text(client.me().get("language"))
        wanted = own if own in translations else None
    default = text(entity.get("defaultLanguage"))
    return Language(wanted, wanted if wanted != default else None)


@dataclass(frozen=True)
class Layout:
    """A layout's text, and whether it is in the wanted language (not in the default one)."""

    text: str
    translated: bool = False


def read_layout(
    client: HaiiloClient, parent_type: str, parent_id: str, name: str, suffix: str | None = None
) -> Layout:
    """Return a layout in the language ``suffix``, or in the default one where it has none in that.

    Raises StatusError 404 where there is no such layout.
    """
    if suffix is not None:
        try:
            return Layout(_read(client, LAYOUT, parent_type, parent_id, f"{name}-{suffix}"), translated=True)
        except StatusError as error:
            if error.status != 404:
                raise
    return Layout(_read(client, LAYOUT, parent_type, parent_id, name))


def read_slot(client: HaiiloClient, parent_type: str, parent_id: str) -> str:
    """Return the text of the main slot of a page or workspace."""
    return _read(client, SLOT, parent_type, parent_id, f"{parent_type}-content")


def _read(client: HaiiloClient, route: Route, *ids: str) -> str:
    return layout_to_text(client.ask(route, *ids), base_url=client.base_url)
