"""Apps, articles, posts, the news feed and widgets."""

from __future__ import annotations

import json

import pytest

from dbplanet.sandbox import entity_id

NEWS = entity_id("app/startseite/news")
LINES = entity_id("app/infrastruktur/news")
WIKI = entity_id("app/brueckenbau/wissen")
PRUEFUNG = entity_id("wiki-article/brueckenpruefung")
PROGRAMM = entity_id("blog-article/brueckenprogramm")


def widgets_of(layout):
    return [widget for row in layout["rows"] for column in row for widget in column["widgets"]]


def news_layout(key, app=NEWS):
    article = entity_id(f"blog-article/{key}")
    return f"/api/blog-article/{article}/widgets/app-blog-{app}-{article}"


def test_the_news_feed_is_newest_first_without_drafts_and_secrets(anna, jonas):
    feed = anna.get("/web/blog/newsfeed", _pageSize=100)
    dates = [article["publishDate"] for article in feed["content"]]
    assert dates == sorted(dates, reverse=True)
    assert feed["totalElements"] >= 25
    assert not [article for article in feed["content"] if "ENTWURF" in article["title"]]
    newest = feed["content"][0]
    assert newest["title"] == "Fahrplanwechsel: Das ändert sich im Dezember"
    assert newest["author"]["displayName"] == "Stefanie Lange"
    assert newest["sender"]["slug"] == "startseite"
    assert newest["app"]["key"] == "blog"
    assert jonas.get("/web/blog/newsfeed")["totalElements"] > feed["totalElements"] - 2


def test_the_apps_of_a_sender_are_an_array(anna):
    apps = anna.get("/api/senders/startseite/apps")
    assert [(app["key"], app["slug"]) for app in apps] == [("blog", "news"), ("content", "fahrplan")]
    for key in ("news", NEWS):
        assert anna.get(f"/api/senders/startseite/apps/{key}") == apps[0]


@pytest.mark.parametrize("path", ["", "/handbuch", "/handbuch/wiki/articles/children"])
def test_what_is_in_a_protected_workspace_is_for_members(anna, mehmet, path):
    assert anna.refused("GET", f"/api/senders/notfallmanagement/apps{path}")[0] == 404
    assert mehmet.get(f"/api/senders/notfallmanagement/apps{path}")


def test_articles_have_no_body_and_drafts_are_for_admins(anna, mehmet):
    path = "/api/senders/startseite/apps/news/blog/articles"
    articles = anna.get(path)["content"]
    article = anna.get(f"{path}/{articles[0]['id']}")
    assert article == articles[0]
    assert "html" not in json.dumps(article)
    assert article["translations"] == {"en": {"title": "Timetable change: what is new in December"}}
    drafts = anna.get(path, includeDrafts="true")
    assert drafts["totalElements"] == anna.get(path)["totalElements"] + 1
    assert mehmet.get(path, includeDrafts="true")["totalElements"] == anna.get(path)["totalElements"]
    assert mehmet.refused("GET", f"{path}/{entity_id('blog-article/entwurf-vorstand')}")[0] == 404


def test_an_article_is_read_below_its_own_app_only(anna):
    assert anna.get(f"/api/senders/infrastruktur/apps/news/blog/articles/{PROGRAMM}")["appId"] == LINES
    assert anna.refused("GET", f"/api/senders/startseite/apps/news/blog/articles/{PROGRAMM}")[0] == 404


def test_the_text_of_an_article_is_in_its_widgets(anna):
    widgets = widgets_of(anna.get(news_layout("brueckenprogramm", LINES)))
    assert [widget["key"] for widget in widgets] == ["headline", "rte", "callout", "downloads"]
    text = widgets[1]["settings"]["html_content"]
    assert all(part in text for part in ('id="isPasted"', "&nbsp;", "style=", "<table>", "<ol>", "<a href="))
    assert anna.get(news_layout("brueckenprogramm", LINES).replace("/api/", "/web/"))["rows"]


def test_layouts_come_in_other_languages_empty_or_not_at_all(anna):
    english = widgets_of(anna.get(f"{news_layout('fahrplanwechsel')}-en"))
    assert english[0]["settings"]["html_content"].startswith("<p>The new timetable")
    assert anna.get(news_layout("leer")) == {"rows": []}
    assert anna.get(news_layout("ohne-zeilen")) == {}
    assert anna.refused("GET", news_layout("nur-teaser")) == (404, "NOT_FOUND", [])
    assert anna.refused("GET", f"{news_layout('fahrplanwechsel')}-fr")[0] == 404


def test_a_wiki_article_keeps_its_revisions(anna):
    path = f"/api/senders/brueckenbau/apps/wissen/wiki/articles/{PRUEFUNG}"
    latest = anna.get(path)
    assert (latest["revisionNumber"], latest["latestRevision"]) == (3, True)
    first = anna.get(path, revision="1")
    assert (first["revisionNumber"], first["latestRevision"]) == (1, False)
    assert anna.refused("GET", f"{path}?revision=4")[0] == 404
    layout = f"/api/wiki-article/{PRUEFUNG}/widgets/app-wiki-{WIKI}-{PRUEFUNG}"
    assert anna.get(layout) == anna.get(f"{layout}-3") != anna.get(f"{layout}-1")


def test_wiki_articles_are_a_tree(anna):
    path = "/api/senders/brueckenbau/apps/wissen/wiki/articles/children"
    assert [(article["id"], article["wikiArticles"]) for article in anna.get(path)] == [(PRUEFUNG, 1)]
    assert [a["title"] for a in anna.get(path, parentId=PRUEFUNG)] == ["Schwingungsmessung an Stahlbrücken"]
    assert anna.get("/api/senders/brueckenbau/apps/wissen")["settings"]["home"] == PRUEFUNG


def test_content_apps_and_slots_have_widgets(anna):
    app = entity_id("app/startseite/fahrplan")
    keys = {widget["key"] for widget in widgets_of(anna.get(f"/api/app/{app}/widgets/app-content-{app}"))}
    assert {"headline", "rte", "html", "code", "rss", "iframe", "db-wagenreihung"} <= keys
    assert widgets_of(anna.get("/api/page/startseite/widgets/page-content"))[0]["key"] == "welcome"
    assert widgets_of(anna.get("/api/workspace/brueckenbau/widgets/workspace-content"))
    assert anna.get("/api/page/personal/widgets/page-content") == {"rows": []}


@pytest.mark.parametrize(
    "path",
    [
        "/api/page/startseite/widgets/workspace-content",
        "/api/page/startseite/widgets/nothing",
        "/api/comment/x/widgets/y",
        "/api/workspace/notfallmanagement/widgets/workspace-content",
        "/api/workspace/tarif-intern/widgets/workspace-content",
        f"/api/blog-article/{PROGRAMM}/widgets/app-blog-{NEWS}-{PROGRAMM}",
    ],
)
def test_layouts_that_are_not_there_or_not_for_one_are_404(anna, path):
    assert anna.refused("GET", path)[:2] == (404, "NOT_FOUND")


def test_a_post_is_markdown_with_an_author(anna):
    post = anna.get(f"/api/timeline-items/{entity_id('timeline-item/bruecke-gesperrt')}")
    assert post["data"]["message"].startswith("**Achtung Pendler:**")
    assert (post["author"]["slug"], post["recipients"][0]["slug"]) == ("juergen-mueller", "startseite")
    lost = anna.get(f"/api/timeline-items/{entity_id('timeline-item/fundsache')}")
    assert lost["author"]["anonymized"] is True
    assert (
        anna.refused("GET", f"/api/timeline-items/{entity_id('timeline-item/vertraulich-tarif')}")[0] == 404
    )
