"""``dbplanet config``: what a client's configuration must hold to reach this server.

No secret is printed: each client is told where to find it, in its own way.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from dbplanet.haiilo.credentials import HEADERS
from dbplanet.settings import PREFIX

ACCESS_TOKEN: Final = "access_token"  # noqa: S105 a name
_PASSWORDS: Final = ("password", "client_secret", ACCESS_TOKEN)

Reference = Callable[[str], str]
"""Field → how a client's configuration refers to its value."""


def _variable(field: str) -> str:
    return PREFIX + field.upper()


def _headers(refer: Reference, with_token: bool) -> dict[str, str]:
    headers = {header: refer(field) for field, header in HEADERS.items()}
    return {**headers, "Authorization": f"Bearer {refer(ACCESS_TOKEN)}"} if with_token else headers


def _claude(url: str, with_token: bool) -> str:
    headers = _headers(lambda field: f"${{{_variable(field)}}}", with_token)
    return _json({"mcpServers": {"dbplanet": {"type": "http", "url": url, "headers": headers}}})


def _cursor(url: str, with_token: bool) -> str:
    headers = _headers(lambda field: f"${{env:{_variable(field)}}}", with_token)
    return _json({"mcpServers": {"dbplanet": {"type": "http", "url": url, "headers": headers}}})


def _vscode(url: str, with_token: bool) -> str:
    def name(field: str) -> str:
        return f"dbplanet-{field.replace('_', '-')}"

    fields = [*HEADERS, *([ACCESS_TOKEN] if with_token else [])]
    inputs = [
        {
            "type": "promptString",
            "id": name(field),
            "description": f"DB Planet: {field.replace('_', ' ')}",
            "password": field in _PASSWORDS,
        }
        for field in fields
    ]
    headers = _headers(lambda field: f"${{input:{name(field)}}}", with_token)
    server = {"type": "http", "url": url, "headers": headers}
    return _json({"inputs": inputs, "servers": {"dbplanet": server}})


def _inspector(url: str, with_token: bool) -> str:
    headers = _headers(lambda field: f"${_variable(field)}", with_token)
    given = [f'--header "{name}: {value}"' for name, value in headers.items()]
    command = f"npx -y @modelcontextprotocol/inspector@2 --cli {url} --transport http --method tools/list"
    return " \\\n  ".join([command, *given])


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, indent=2)


# Client → where its configuration belongs, and what makes it.
CLIENTS: Final[Mapping[str, tuple[str, Callable[[str, bool], str]]]] = {
    "claude": (".mcp.json in the project; Claude Code reads the variables from its environment", _claude),
    "cursor": (".cursor/mcp.json; Cursor reads the variables from its environment", _cursor),
    "vscode": (".vscode/mcp.json; VS Code asks for the values once and keeps them", _vscode),
    "inspector": ("a shell in which the variables are exported", _inspector),
}


def configuration(client: str, url: str, *, with_token: bool) -> tuple[str, str]:
    """Return where a client's configuration belongs and its text.

    ``url`` is the MCP endpoint; ``with_token`` adds the access token that the server asks for.
    """
    place, make = CLIENTS[client]
    return place, make(url, with_token)
