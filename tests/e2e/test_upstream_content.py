"""Content_GetFull reads the widget endpoints of an item, and around them only the place that holds it."""

from __future__ import annotations

import pytest

from dbplanet.sandbox import entity_id
from e2e.tenants import Tenant
from e2e.upstream import asked
from e2e.wire import Server

BLOG, WIKI = entity_id("blog-article/brueckenprogramm"), entity_id("wiki-article/brueckenpruefung")
NEWS, WISSEN = entity_id("app/infrastruktur/news"), entity_id("app/brueckenbau/wissen")
PAGE, WORKSPACE = entity_id("page/infrastruktur"), entity_id("workspace/brueckenbau")
POST = entity_id("timeline-item/kaffee-leitstelle")
SENDER = f"/api/senders/{PAGE}/apps/{NEWS}/blog/articles/{BLOG}"
WIKI_OF = f"/api/senders/{WORKSPACE}/apps/{WISSEN}/wiki/articles/{WIKI}"

# arguments of Content_GetFull → the paths it reads, its own widget endpoints among them
CONTENT: list[tuple[dict[str, str], list[str]]] = [
    (
        {"contentId": BLOG, "contentType": "blog-article", "appId": NEWS},
        [f"/api/blog-article/{BLOG}/widgets/app-blog-{NEWS}-{BLOG}"],
    ),
    (
        {"contentId": BLOG, "contentType": "blog-article", "appId": NEWS, "senderId": PAGE},
        [SENDER, f"/api/blog-article/{BLOG}/widgets/app-blog-{NEWS}-{BLOG}"],
    ),
    (
        {"contentId": WIKI, "contentType": "wiki-article", "appId": WISSEN},
        [f"/api/wiki-article/{WIKI}/widgets/app-wiki-{WISSEN}-{WIKI}"],
    ),
    (
        {"contentId": WIKI, "contentType": "wiki-article", "appId": WISSEN, "senderId": WORKSPACE},
        [WIKI_OF, f"/api/wiki-article/{WIKI}/widgets/app-wiki-{WISSEN}-{WIKI}-3"],
    ),
    (
        {"contentId": WORKSPACE, "contentType": "workspace"},
        [
            f"/api/workspaces/{WORKSPACE}",
            f"/api/senders/{WORKSPACE}/apps",
            f"/api/workspace/{WORKSPACE}/widgets/workspace-content",
        ],
    ),
    (
        {"contentId": "gone", "contentType": "workspace", "slug": "brueckenbau"},
        [
            "/api/workspaces/gone",
            "/api/workspaces/brueckenbau",
            f"/api/senders/{WORKSPACE}/apps",
            f"/api/workspace/{WORKSPACE}/widgets/workspace-content",
        ],
    ),
    (
        {"contentId": entity_id("page/nachhaltigkeit"), "contentType": "page"},
        [
            f"/api/pages/{entity_id('page/nachhaltigkeit')}",
            f"/api/senders/{entity_id('page/nachhaltigkeit')}/apps",
            f"/api/page/{entity_id('page/nachhaltigkeit')}/widgets/page-content",
        ],
    ),
    ({"contentId": POST, "contentType": "timeline-item"}, [f"/api/timeline-items/{POST}"]),
]


@pytest.mark.parametrize(("arguments", "paths"), CONTENT)
def test_full_content_is_read_through_the_widget_endpoints_of_its_type(
    server: Server, tenant: Tenant, arguments: dict[str, str], paths: list[str]
):
    seen = asked(server, tenant, "Content_GetFull", arguments)
    assert {request.method for request in seen} == {"GET"}
    needed = [request for request in seen if request.path in paths]
    assert [(request.path, request.query) for request in needed] == [(path, {}) for path in paths]
    # What else may add to the text is about the place that holds the item.
    assert all(request.path.startswith("/api/senders/") for request in seen if request not in needed)


def test_the_text_of_a_content_app_is_read_with_its_page(server: Server, tenant: Tenant):
    page = {"contentId": PAGE, "contentType": "page"}
    paths = [seen.path for seen in asked(server, tenant, "Content_GetFull", page)]
    content_app = entity_id("app/infrastruktur/brueckenprogramm")
    assert paths.count(f"/api/app/{content_app}/widgets/app-content-{content_app}") == 1
