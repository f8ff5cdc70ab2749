"""The intranet's content as resources: ``dbplanet://{contentType}/{id}``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from dbplanet.haiilo.client import HaiiloClient
from dbplanet.haiilo.content import READERS
from dbplanet.mcp.catalog import ResourceTemplate
from dbplanet.mcp.context import Context
from dbplanet.tools.content import get_full

# What may follow the question mark: the ids that articles need besides their own, and the part.
_OPTIONS: Final = frozenset({"appId", "senderId", "slug", "language", "part"})


def content_template(render: Callable[[Any], str]) -> ResourceTemplate:
    """Return the template that reads what Content_GetFull reads."""

    def read(client: HaiiloClient, query: Mapping[str, str], **variables: str) -> Mapping[str, Any]:
        options = {name: value for name, value in query.items() if name in _OPTIONS}
        target = {"contentType": variables["contentType"], "contentId": variables["id"]}
        answer = get_full.run(client, {**target, **options}, Context())
        return {"mimeType": "text/markdown", "text": render(answer)}

    return ResourceTemplate(
        "dbplanet://{contentType}/{id}",
        "content",
        "Content of DB Planet",
        "The full text of an article, page, workspace, app or post as Markdown. Articles need "
        "?appId=…&senderId=… behind the id, as search results show them.",
        "text/markdown",
        read,
        {"contentType": lambda typed: [kind for kind in READERS if kind.startswith(typed)]},
        toolset="content",
    )
