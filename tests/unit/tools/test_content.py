"""Content_GetFull: what is read for each content type (Requirement 11)."""

import json

import pytest
from support.mcp import call_tool, make_app, text_of
from support.tenant import StubTenant

LAYOUT = {"rows": [[{"widgets": [{"key": "rte", "settings": {"html_content": "<p>Der <b>Text</b></p>"}}]}]]}
ARTICLE = {"id": "a1", "title": "Titel", "author": {"id": "u1", "displayName": "Ada"}, "publishDate": 0}


def read(routes, **arguments):
    """Call the tool against a tenant that knows ``routes`` (path → answer) and nothing else."""

    def answer(method, path):
        return (200, json.dumps(routes[path])) if path in routes else (404, '{"errorStatus": "NOT_FOUND"}')

    with StubTenant(answer) as tenant:
        result = call_tool(make_app(MAX_TEXT_CHARS="1000"), "Content_GetFull", arguments)
    return result, text_of(result), [asked.path for asked in tenant.asked]


def test_a_blog_article_with_its_sender_has_title_author_and_date():
    article = "/api/senders/s1/apps/b1/blog/articles/a1"
    layout = "/api/blog-article/a1/widgets/app-blog-b1-a1"
    result, text, _ = read(
        {article: ARTICLE, layout: LAYOUT},
        contentId="a1",
        contentType="blog-article",
        appId="b1",
        senderId="s1",
    )
    assert not result["isError"]
    assert text.startswith(
        "blog-article: Titel\nid: a1\nauthor: Ada (id u1)\npublished: 1970-01-01T00:00:00Z"
    )
    assert "--- content from DB Planet, part 1 of 1 ---\n\nDer " in text
    assert text.endswith("--- end of the content ---")


def test_a_blog_article_without_its_sender_is_one_request():
    layout = "/api/blog-article/a1/widgets/app-blog-b1-a1"
    _, text, paths = read({layout: LAYOUT}, contentId="a1", contentType="blog-article", appId="b1")
    assert paths == [layout]
    assert "Text" in text


def test_a_wiki_article_is_read_in_its_latest_revision():
    article = "/api/senders/s1/apps/w1/wiki/articles/a1"
    layout = "/api/wiki-article/a1/widgets/app-wiki-w1-a1-7"
    routes = {article: {**ARTICLE, "latestRevision": 7, "revisionNumber": 3}, layout: LAYOUT}
    result, _, paths = read(routes, contentId="a1", contentType="wiki-article", appId="w1", senderId="s1")
    assert not result["isError"]
    assert paths == [article, layout]


@pytest.mark.parametrize("kind", ["blog-article", "wiki-article"])
def test_an_article_needs_its_app(kind):
    result, text, paths = read({}, contentId="a1", contentType=kind)
    assert result["isError"]
    assert text.startswith("[400] Invalid arguments: appId: is required")
    assert paths == []


def test_an_article_without_a_layout_still_has_its_teaser():
    article = "/api/senders/s1/apps/b1/blog/articles/a1"
    teased = {**ARTICLE, "teaserText": "<p>Kurz</p>"}
    result, text, _ = read(
        {article: teased}, contentId="a1", contentType="blog-article", appId="b1", senderId="s1"
    )
    assert not result["isError"]
    assert "Kurz" in text


def test_an_article_that_nobody_knows_is_not_found():
    result, text, _ = read({}, contentId="a1", contentType="blog-article", appId="b1")
    assert result["isError"]
    assert text.startswith("[404] The requested resource was not found.")


@pytest.mark.parametrize("kind", ["page", "workspace"])
def test_a_page_is_its_description_its_slot_and_its_content_apps(kind):
    routes = {
        f"/api/{kind}s/p1": {"id": "p1", "displayName": "Seite", "description": "Über uns"},
        "/api/senders/p1/apps": [
            {"id": "c1", "key": "content", "name": "Inhalt"},
            {"id": "b1", "key": "blog", "name": "Neues"},
            {"id": "c2", "key": "content", "name": "Aus", "active": False},
        ],
        f"/api/{kind}/p1/widgets/{kind}-content": LAYOUT,
        "/api/app/c1/widgets/app-content-c1": LAYOUT,
    }
    result, text, paths = read(routes, contentId="p1", contentType=kind)
    assert not result["isError"]
    assert text.count("Der ") == 2
    assert "Über uns" in text
    assert "# Inhalt" in text
    assert "2. Neues\n   app: blog\n   id: b1" in text
    assert "/api/app/c2/widgets/app-content-c2" not in paths


def test_the_slug_is_tried_where_the_id_is_unknown():
    routes = {"/api/pages/start": {"id": "p1", "displayName": "Seite", "description": "Da"}}
    result, _, paths = read(routes, contentId="p0", contentType="page", slug="start")
    assert not result["isError"]
    assert paths[:2] == ["/api/pages/p0", "/api/pages/start"]


def test_an_app_without_its_sender_is_its_content_layout():
    _, text, paths = read({"/api/app/c1/widgets/app-content-c1": LAYOUT}, contentId="c1", contentType="app")
    assert paths == ["/api/app/c1/widgets/app-content-c1"]
    assert "Text" in text


def test_a_wiki_app_is_its_home_article():
    routes = {
        "/api/senders/s1/apps/w1": {"id": "w1", "key": "wiki", "name": "Wiki", "settings": {"home": "a1"}},
        "/api/senders/s1/apps/w1/wiki/articles/a1": {**ARTICLE, "revisionNumber": 2},
        "/api/wiki-article/a1/widgets/app-wiki-w1-a1-2": LAYOUT,
    }
    _, text, _ = read(routes, contentId="w1", contentType="app", senderId="s1")
    assert text.startswith("app: Wiki")
    assert "Text" in text


def test_a_blog_app_is_the_list_of_its_articles():
    routes = {
        "/api/senders/s1/apps/b1": {"id": "b1", "key": "blog", "name": "Blog"},
        "/api/senders/s1/apps/b1/blog/articles": {"content": [ARTICLE]},
    }
    _, text, _ = read(routes, contentId="b1", contentType="app", senderId="s1")
    assert "- Titel (id a1)" in text


def test_a_post_is_its_message():
    item = {"id": "t1", "author": {"id": "u1", "displayName": "Ada"}, "data": {"message": "Hallo **Welt**"}}
    _, text, _ = read({"/api/timeline-items/t1": item}, contentId="t1", contentType="timeline-item")
    assert text.startswith("timeline-item t1\nid: t1\nauthor: Ada (id u1)")
    assert "Hallo **Welt**" in text


def test_a_long_text_comes_in_parts_that_make_the_whole():
    paragraphs = [f"Absatz {number} " + "x" * 80 for number in range(40)]
    html = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    layout = {"rows": [[{"widgets": [{"key": "rte", "settings": {"html_content": html}}]}]]}
    routes = {"/api/app/c1/widgets/app-content-c1": layout}
    seen, part = [], 1
    while True:
        _, text, _ = read(routes, contentId="c1", contentType="app", part=part)
        assert len(text) <= 1000
        seen += [line for line in text.splitlines() if line.startswith("Absatz")]
        if f"part={part + 1}" not in text:
            break
        part += 1
    assert seen == paragraphs


def test_a_part_that_does_not_exist_is_refused_with_the_count():
    result, text, _ = read(
        {"/api/app/c1/widgets/app-content-c1": LAYOUT}, contentId="c1", contentType="app", part=2
    )
    assert result["isError"]
    assert text == "[400] Invalid arguments: part: 2 does not exist; the text has 1"


@pytest.mark.parametrize("value", ["..", "%2e%2e", "a/../b", " "])
@pytest.mark.parametrize("name", ["contentId", "appId", "senderId", "slug"])
def test_ids_that_are_paths_are_refused_by_name(name, value):
    arguments = {"contentId": "a1", "contentType": "page", name: value}
    result, text, paths = read({}, **arguments)
    assert result["isError"]
    assert text.startswith(f"[400] Invalid arguments: {name}: ")
    assert paths == []
