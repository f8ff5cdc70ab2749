"""The one job that every server does: sign in, ask the tenant who that is, answer it as labelled lines."""

from __future__ import annotations

import json
from typing import Any, Final

TOKEN_PATH: Final = "/api/oauth/token"  # noqa: S105 a path, not a token
ME_PATH: Final = "/api/users/me"
TOOL: Final = "People_GetMe"
TOOLS: Final = 28

# Labels of the answer's lines and where their values stand in a profile; ``servers/`` print the same.
LINES: Final = {
    "id": ("id",),
    "slug": ("slug",),
    "job title": ("properties", "jobTitle"),
    "department": ("properties", "department"),
    "email": ("email",),
    "language": ("language",),
    "time zone": ("timezone",),
    "status": ("status",),
}


def profile(user: str) -> dict[str, Any]:
    """Return what ``GET /api/users/me`` answers ``user``: the sandbox's shape, about 1.1 kB."""
    identity = f"cb40b91f-12f3-5996-ae42-{sum(user.encode()) % 10_000:012d}"
    picture = f"/web/senders/{identity}"
    return {
        "id": identity,
        "entityId": {"id": identity, "typeName": "user"},
        "slug": user,
        "typeName": "user",
        "displayName": f"Jürgen {user}",
        "displayNameInitials": "JC",
        "color": "#cb40b9",
        "public": True,
        "imageUrls": {"avatar": f"{picture}/avatar", "cover": f"{picture}/cover"},
        "target": {"name": "user", "params": {"id": identity, "slug": user}},
        "tenant": "DB Planet",
        "tenantId": "DB Planet",
        "loginName": user,
        "loginNameAlt": None,
        "moderatorMode": False,
        "status": "ACTIVE",
        "active": True,
        "anonymized": False,
        "firstname": "Jürgen",
        "lastname": user,
        "email": f"{user}@dbplanet.example",
        "language": "de",
        "timezone": "Europe/Berlin",
        "properties": {
            "jobTitle": "Referent für Fahrgastinformation",
            "department": "Kommunikation",
            "about": "Schreibt für die Startseite und sucht Geschichten von der Strecke. " * 3,
        },
        "manager": None,
        "updatedId": 1761496197985,
        "externalWorkspaceMember": False,
        "created": 1761496197985,
        "modified": 1761496197985,
    }


def text(profile: dict[str, Any]) -> str:
    """Return a profile as the tool answers it: a head and eight labelled lines."""
    lines = [f"{label}: {_value(profile, path)}" for label, path in LINES.items()]
    return f"Signed-in user: {profile['displayName']}\n\n" + "\n".join(lines)


def _value(profile: dict[str, Any], path: tuple[str, ...]) -> str:
    value: Any = profile
    for key in path:
        value = value[key]
    return str(value).lower() if path == ("status",) else str(value)


def body(user: str) -> bytes:
    """Return the profile as JSON, as the tenant sends it."""
    return json.dumps(profile(user), ensure_ascii=False, separators=(",", ":")).encode()


def credentials(user: str, base_url: str) -> dict[str, str]:
    """Return the headers in which a caller brings what the server needs to act for it."""
    return {
        "x-dbplanet-username": user,
        "x-dbplanet-password": f"not-a-password-{user}",
        "x-dbplanet-client-id": "bench-client",
        "x-dbplanet-client-secret": "not-a-secret",
        "x-dbplanet-base-url": base_url,
    }
