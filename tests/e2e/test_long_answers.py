"""Answers longer than a model should get at once: cut where an item or a line ends, and how to go on."""

from __future__ import annotations

import json
import re

from dbplanet.sandbox import entity_id
from e2e.tenants import Tenant
from e2e.wire import Server

LIMIT = 25_000  # MAX_TEXT_CHARS


def test_a_long_list_is_cut_between_items_and_says_so(server: Server, tenant: Tenant):
    pages = [{"id": f"page-{n}", "displayName": f"Seite {n}", "description": "x" * 200} for n in range(400)]
    tenant.fault(
        status=200, body=json.dumps({"content": pages, "totalElements": 400, "size": 400, "last": True})
    )
    listed = server.call("Page_List", {"pageSize": 400}, tenant.headers())
    assert not listed.is_error
    assert len(listed.text) <= LIMIT
    items = list(listed.items())
    assert len(items) > 50
    assert all(item["description"] == "x" * 200 for item in items), "no item is cut"
    assert f"{len(items)} of 400 items" in listed.text
    assert "pageSize" in listed.text.splitlines()[-1]


def test_a_long_text_comes_in_parts_that_together_are_the_whole(server: Server, tenant: Tenant):
    sentences = [f"Satz Nummer {number} über Schotter und Schwellen." for number in range(1500)]
    html = "".join(f"<p>{sentence}</p>" for sentence in sentences)
    layout = {"rows": [[{"cols": 12, "widgets": [{"key": "rte", "settings": {"html_content": html}}]}]]}
    tenant.fault("GET .*/widgets/", status=200, body=json.dumps(layout))
    article = {
        "contentId": entity_id("blog-article/brueckenprogramm"),
        "contentType": "blog-article",
        "appId": entity_id("app/infrastruktur/news"),
    }
    texts = [server.call("Content_GetFull", article, tenant.headers()).text]
    while following := re.search(r"^Call again with part=(\d+)", texts[-1], re.MULTILINE):
        texts.append(server.call("Content_GetFull", {**article, "part": following[1]}, tenant.headers()).text)
    assert len(texts) > 2
    assert all(len(text) <= LIMIT for text in texts)
    assert re.findall(r"Satz Nummer \d+ über Schotter und Schwellen\.", "\n".join(texts)) == sentences
    beyond = server.call("Content_GetFull", {**article, "part": len(texts) + 1}, tenant.headers())
    assert beyond.is_error
    assert beyond.first_line.startswith("[400] Invalid arguments: part: ")


def test_search_tells_metadata_only_even_of_long_content(server: Server, tenant: Tenant):
    hit = {"id": "x", "typeName": "blog-article", "displayName": "Lang", "excerpt": "<em>Wort</em> " * 5000}
    tenant.fault(status=200, body=json.dumps({"content": [hit], "totalElements": 1}))
    found = server.call("Search_FullText", {"query": "Wort"}, tenant.headers())
    assert found.field("excerpt").startswith("**Wort** ")
    assert len(found.field("excerpt")) < 1000
    assert "<em>" not in found.text
