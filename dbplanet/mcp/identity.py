"""Who calls: the credentials that came with a request, as far as the engine must know them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class Identity(Protocol):
    """The credentials of one request. Two requests are one caller only when *all* values agree."""

    @property
    def complete(self) -> bool:
        """Whether every credential that the server needs is there."""

    @property
    def values(self) -> tuple[str | None, ...]:
        """Every credential value, in a fixed order; None where none was given."""


def speaks_for(request: Identity, session: Identity) -> bool:
    """Tell whether each credential that ``request`` carries is the session's own."""
    given, own = request.values, session.values
    return given == own or all(value is None or value == kept for value, kept in zip(given, own, strict=True))


class Anyone:
    """The identity of every caller of a server that asks for no credentials."""

    complete = True
    values: tuple[str | None, ...] = ()


def identify_anyone(headers: Mapping[str, str]) -> Identity:
    """Return the one identity of a server that asks for no credentials."""
    return Anyone()


class NoConnection:
    """What handlers get that need nothing of their caller."""

    def close(self) -> None:
        """Do nothing."""


def connect_nowhere(identity: Identity) -> NoConnection:
    """Return the connection of handlers that need none."""
    return NoConnection()
