"""Prompts, resources and resource templates as values, like tools."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import unquote

Complete = Callable[[str], Sequence[str]]
"""What is typed so far → values that begin so."""

_VARIABLE: Final = re.compile(r"\{([A-Za-z]+)\}")


def _present(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value not in (None, "", [])}


@dataclass(frozen=True)
class PromptArgument:
    """One argument of a prompt; always text."""

    name: str
    description: str
    required: bool = False
    complete: Complete | None = None

    def definition(self) -> dict[str, Any]:
        """Return the wire form."""
        return {"name": self.name, "description": self.description, "required": self.required}


@dataclass(frozen=True)
class Prompt:
    """One prompt. ``handler(context, **arguments)`` returns text, or a list of prompt messages."""

    name: str
    title: str
    description: str
    handler: Callable[..., str | list[dict[str, Any]]]
    arguments: Sequence[PromptArgument] = ()

    def definition(self) -> dict[str, Any]:
        """Return the prompt as ``prompts/list`` shows it."""
        arguments = [argument.definition() for argument in self.arguments]
        return _present(name=self.name, title=self.title, description=self.description, arguments=arguments)


@dataclass(frozen=True)
class Resource:
    """One resource. ``read(connection)`` returns its contents without the uri."""

    uri: str
    name: str
    description: str
    mime_type: str
    read: Callable[..., Mapping[str, Any]]

    def definition(self) -> dict[str, Any]:
        """Return the resource as ``resources/list`` shows it."""
        return _present(uri=self.uri, name=self.name, description=self.description, mimeType=self.mime_type)


@dataclass(frozen=True)
class ResourceTemplate:
    """Resources of one form, such as ``x://{kind}/{id}``.

    ``read(connection, query, **variables)`` returns the contents without the uri; ``query`` maps what a uri
    has behind a question mark. ``complete`` maps variables to what completes them. A caller that may not use
    ``toolset`` may not use the template either.
    """

    uri_template: str
    name: str
    title: str
    description: str
    mime_type: str
    read: Callable[..., Mapping[str, Any]]
    complete: Mapping[str, Complete] = field(default_factory=dict)
    toolset: str | None = None

    def definition(self) -> dict[str, Any]:
        """Return the template as ``resources/templates/list`` shows it."""
        return _present(
            uriTemplate=self.uri_template,
            name=self.name,
            title=self.title,
            description=self.description,
            mimeType=self.mime_type,
        )

    def match(self, uri: str) -> dict[str, str] | None:
        """Return the variables of a uri of this form, decoded once, or None."""
        found = re.fullmatch(self._pattern(), uri)
        return {name: unquote(value) for name, value in found.groupdict().items()} if found else None

    def _pattern(self) -> str:
        parts = _VARIABLE.split(self.uri_template)
        # Every second part is a variable's name.
        return "".join(
            f"(?P<{part}>[^/?#]+)" if index % 2 else re.escape(part) for index, part in enumerate(parts)
        )
