"""What the token endpoint gives, and how several processes come to one of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Fetch = Callable[[float | None], "Grant"]
"""Asks the tenant for a token before a deadline (monotonic seconds)."""

TokenSharing = Callable[[Fetch, str | None, float | None], str]
"""``sharing(fetch, refused, deadline)`` returns a token other than ``refused``, calling ``fetch`` at need."""


@dataclass(frozen=True)
class Grant:
    """A token; ``seconds`` is how long it is good for, where the tenant says so."""

    token: str
    seconds: float | None = None
