"""What a caller may use: all tools, or fewer.

The operator sets the bound; a request can only narrow it, and a session only narrows further. It is
enforced when tools are listed and when one is called.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Scope:
    """``toolsets`` is None for all of them."""

    read_only: bool = False
    toolsets: frozenset[str] | None = None

    def narrowed(self, other: Scope) -> Scope:
        """Return what both allow."""
        if self is EVERYTHING or other is EVERYTHING:
            return other if self is EVERYTHING else self
        known = [toolsets for toolsets in (self.toolsets, other.toolsets) if toolsets is not None]
        return Scope(self.read_only or other.read_only, frozenset.intersection(*known) if known else None)

    def written(self) -> str:
        """Return the scope as visible ASCII without dots, for ``read``."""
        toolsets = "*" if self.toolsets is None else "+".join(sorted(self.toolsets))
        return f"{'r' if self.read_only else 'w'}~{toolsets}"

    @classmethod
    def read(cls, written: str) -> Scope:
        """Return what ``written`` wrote; anything else narrows nothing."""
        mode, tilde, toolsets = written.partition("~")
        if not tilde or mode not in ("r", "w"):
            return EVERYTHING
        return cls(mode == "r", None if toolsets == "*" else frozenset(toolsets.split("+")))

    def allows(self, toolset: str, *, writes: bool) -> bool:
        """Tell whether a tool of ``toolset`` may be used."""
        return not (writes and self.read_only) and (self.toolsets is None or toolset in self.toolsets)


EVERYTHING = Scope()
