"""Tools as values: name, description, annotations, arguments and handler in one place."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from dbplanet.mcp.arguments import Arguments
from dbplanet.mcp.context import Context
from dbplanet.mcp.param_headers import Mirrored, annotated

# What every known client accepts.
NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True)
class Annotations:
    """Hints for a client that asks its user before a call (specification, ToolAnnotations)."""

    read_only: bool
    destructive: bool = False
    idempotent: bool = True

    def definition(self) -> dict[str, bool]:
        """Return the wire form; every tool here acts on the one service it is made for."""
        hints = {"readOnlyHint": self.read_only, "openWorldHint": False}
        if not self.read_only:
            hints |= {"destructiveHint": self.destructive, "idempotentHint": self.idempotent}
        return hints


READ: Final = Annotations(read_only=True)
"""Changes nothing."""
ADD: Final = Annotations(read_only=False, idempotent=False)
"""Adds something; calling twice adds two."""
SET: Final = Annotations(read_only=False)
"""Sets a state; calling twice changes nothing more."""
TOGGLE: Final = Annotations(read_only=False, destructive=True, idempotent=False)
"""Turns something on or off; calling twice undoes it."""


@dataclass(frozen=True)
class Tool:
    """One tool. ``handler(connection, **arguments)`` blocks and returns what the server renders.

    ``logs`` says that the handler sends log messages through its context.
    """

    name: str
    title: str
    description: str
    annotations: Annotations
    handler: Callable[..., Any]
    logs: bool = False
    arguments: Arguments = field(init=False)
    mirrored: Mirrored = field(init=False)

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name) or not self.description:
            raise ValueError(
                f"tool {self.name!r} needs a name of 1 to 64 letters, digits, _ or -, and a description"
            )
        object.__setattr__(self, "arguments", Arguments(self.handler))
        object.__setattr__(self, "mirrored", tuple(annotated(self.arguments.schema)))

    def definition(self) -> dict[str, Any]:
        """Return the tool as ``tools/list`` shows it."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.arguments.schema,
            "annotations": self.annotations.definition(),
        }

    @property
    def reports(self) -> bool:
        """Whether the handler takes the call's context, and so may report progress."""
        return self.arguments.context_name is not None

    def run(self, connection: Any, raw: Mapping[str, Any], context: Context) -> Any:
        """Validate ``raw`` and return the handler's answer; raises ToolError for bad arguments."""
        arguments = self.arguments.read(raw)
        if self.arguments.context_name is not None:
            arguments[self.arguments.context_name] = context
        return self.handler(connection, **arguments)


def tool(
    name: str, *, title: str, annotations: Annotations, description: str, logs: bool = False
) -> Callable[[Callable[..., Any]], Tool]:
    """Make a Tool of the function below; ``description`` is what a model chooses by."""

    def make(handler: Callable[..., Any]) -> Tool:
        return Tool(name, title, description, annotations, handler, logs)

    return make
