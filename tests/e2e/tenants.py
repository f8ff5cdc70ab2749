"""A sandbox tenant from outside: its journal, its faults, and the headers that open it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

import requests

from dbplanet.sandbox import COLLEAGUES, CREDENTIALS, Credentials

ANNA = CREDENTIALS
JONAS, MEHMET = COLLEAGUES

TOKEN = "POST /api/oauth/token"
ME = "GET /api/users/me"
EVERYTHING_BUT_THE_TOKEN = r"^(?!POST /api/oauth/token$)"

HEADERS = {
    "username": "x-dbplanet-username",
    "password": "x-dbplanet-password",
    "client_id": "x-dbplanet-client-id",
    "client_secret": "x-dbplanet-client-secret",
    "base_url": "x-dbplanet-base-url",
}


@dataclass(frozen=True)
class Seen:
    """One request that reached the tenant."""

    method: str
    path: str
    query: dict[str, str]
    body: Any
    status: int | None

    @property
    def line(self) -> str:
        """``METHOD /path``, what a fault's pattern is searched in."""
        return f"{self.method} {self.path}"


@dataclass(frozen=True)
class Tenant:
    """A running sandbox at ``url``."""

    url: str
    _connection: requests.Session = field(default_factory=requests.Session, repr=False)

    def __post_init__(self) -> None:
        self._connection.trust_env = False

    def close(self) -> None:
        """Close the connection to the control routes."""
        self._connection.close()

    def headers(self, person: Credentials = ANNA, **changed: str | None) -> dict[str, bytes]:
        """Return the five headers in UTF-8; a field given as None is left out, another value replaces it."""
        fields = {
            name: getattr(person, name) for name in ("username", "password", "client_id", "client_secret")
        }
        fields = {**fields, "base_url": self.url, **changed}
        return {HEADERS[name]: value.encode() for name, value in fields.items() if value is not None}

    def journal(self) -> list[Seen]:
        """Return every request since the last reset, in the order of their arrival."""
        entries = self._control("GET", "requests").json()
        return [
            Seen(
                entry["method"],
                entry["path"],
                dict(parse_qsl(entry["query"], keep_blank_values=True)),
                entry["body"],
                entry["status"],
            )
            for entry in entries
        ]

    def lines(self) -> list[str]:
        """Return the journal as ``METHOD /path``."""
        return [seen.line for seen in self.journal()]

    def fault(self, match: str = EVERYTHING_BUT_THE_TOKEN, **answer: Any) -> None:
        """Make requests whose ``METHOD /path`` matches fail; see ``dbplanet.sandbox.control.Fault``."""
        self.faults({"match": match, **answer})

    def faults(self, *entries: dict[str, Any]) -> None:
        """Set several faults; the first that matches acts."""
        self._control("POST", "faults", list(entries))

    def expire_tokens(self) -> None:
        """Make every token that was ever issued invalid."""
        self._control("POST", "expire-tokens")

    def reset(self) -> None:
        """Forget faults and journal; the tenant's state stays."""
        self._control("DELETE", "faults")
        self._control("DELETE", "requests")

    def _control(self, method: str, path: str, body: Any = None) -> requests.Response:
        answer = self._connection.request(method, f"{self.url}/__sandbox__/{path}", json=body, timeout=30)
        answer.raise_for_status()
        return answer
