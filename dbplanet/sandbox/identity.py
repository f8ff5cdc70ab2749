"""Who may sign in to the sandbox tenant, and how its ids are made."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_DNS, "dbplanet-sandbox.invalid")


@dataclass(frozen=True)
class Credentials:
    """The four values of an OAuth2 password grant; in this package they are all fakes."""

    username: str
    password: str
    client_id: str = "sandbox-client"
    client_secret: str = "sandbox-only-secret"  # noqa: S105 - a fake


CREDENTIALS = Credentials("anna.schmidt", "sandbox-only-password")
"""The main user, an editor: may create pages, workspaces and events, and is an admin of some."""

COLLEAGUES = (
    Credentials("jonas.weiss", "sandbox-only-password-jonas"),
    # every character that a form body or a header has to escape
    Credentials("mehmet.yildiz", "sandbox-only-pässwort: 100 %&=+ß"),
)
"""Two further users of the same tenant: Jonas, an editor too; Mehmet, who may only read and react."""


def entity_id(reference: str) -> str:
    """Return the UUID of a seeded entity, the same in every sandbox.

    ``reference`` is ``"<typeName>/<key>"``. The key of a page, workspace or event is its slug, that of a
    user the login name (``"user/anna.schmidt"``), that of an app ``<sender's slug>/<app's slug>``
    (``"app/infrastruktur/news"``), that of an article or post its ``key`` in ``content/*.json``.
    """
    return str(uuid.uuid5(_NAMESPACE, reference))
