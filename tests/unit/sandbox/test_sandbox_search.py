from __future__ import annotations

import html
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbplanet.sandbox.folding import excerpt, fold

TYPES = {"blog-article", "wiki-article", "page", "workspace", "event", "timeline-item", "user", "app"}
SPELLINGS = [
    "Brücke",
    "brücke",
    "BRÜCKE",
    "bruecke",
    "brucke",
    unicodedata.normalize("NFD", "Brücke"),
    "Brücke*",
]


@pytest.mark.parametrize("term", SPELLINGS)
def test_every_spelling_of_bruecke_finds_every_type(anna, term):
    found = anna.get("/api/search", term=term, _pageSize=100)
    assert {hit["typeName"] for hit in found["content"]} == TYPES
    assert found["totalElements"] == anna.get("/api/search", term="Brücke")["totalElements"]


def test_a_hit_names_type_title_place_and_date(anna):
    hits = anna.get("/api/search", term="Brücke", filters="type=blog-article")["content"]
    hit = next(hit for hit in hits if hit["displayName"].startswith("Das Brückenprogramm"))
    assert "<em>" in hit["excerpt"]
    assert isinstance(hit["modified"], int)
    assert hit["sender"]["displayName"] == "Infrastruktur"
    assert {"id", "senderId", "appId", "senderType"} <= set(hit["target"]["params"])
    assert not {"title", "teaserText", "rows"} & set(hit)


@pytest.mark.parametrize("term", [None, "", "   ", "a " * 101])
def test_a_search_needs_a_term_of_at_most_a_hundred_words(anna, term):
    query = {} if term is None else {"term": term}
    assert anna.refused("GET", "/api/search", query_string=query) == (400, "INVALID_ARGUMENTS", ["term"])


@pytest.mark.parametrize(
    ("term", "titles"),
    [
        ("Eidechsen Böschung", {"Umzug für 3.000 Eidechsen"}),
        ("Eidechsen Currywurst", set()),
        ('"Frikadelle ist besser"', {"Kantinen kochen grüner"}),
        ("Eidechsen OR Solarstrom", {"Umzug für 3.000 Eidechsen", "Solarstrom zwischen den Schienen"}),
        ("xyzzy", set()),
        ("OR", set()),
    ],
    ids=["all words", "one missing", "exact, in a comment", "either", "nothing", "only an operator"],
)
def test_words_are_joined_by_and_unless_told_otherwise(anna, term, titles):
    assert {hit["displayName"] for hit in anna.get("/api/search", term=term)["content"]} == titles


def test_filters_are_a_query_string_inside_a_parameter(anna):
    found = anna.get(
        "/api/search", term="Brücke", filters="modified=LAST_WEEK&type=blog-article&type=timeline-item"
    )
    assert {hit["typeName"] for hit in found["content"]} == {"blog-article", "timeline-item"}
    sender = found["content"][0]["sender"]["id"]
    narrowed = anna.get("/api/search", term="Brücke", filters=f"sender={sender}")
    assert {hit["sender"]["id"] for hit in narrowed["content"] if "sender" in hit} == {sender}
    assert anna.refused("GET", "/api/search?term=x%20OR%20e&filters=modified%3DEVER")[0] == 400


def test_aggregations_count_types_dates_and_places(anna):
    found = anna.get("/api/search", term="Brücke", aggregations="type=10&modified=&sender=2")
    buckets = found["aggregations"]
    assert sum(bucket["count"] for bucket in buckets["type"]) == found["totalElements"]
    assert [bucket["key"] for bucket in buckets["modified"]] == ["LAST_WEEK", "LAST_MONTH", "LAST_YEAR"]
    assert len(buckets["sender"]) == 2
    assert buckets["sender"][0]["data"]["displayName"]
    assert "aggregations" not in anna.get("/api/search", term="Brücke")


@pytest.mark.parametrize("path", ["/api/search", "/api/quick-entity-search"])
def test_what_one_may_not_see_is_not_found(anna, jonas, path):
    secret = {"term": "Tarifkommission"}
    assert anna.get(path, **secret)["totalElements"] == 0
    assert jonas.get(path, **secret)["totalElements"] > 0


def test_protected_workspaces_are_found_but_not_their_content(anna):
    found = anna.get("/api/search", term="Räumung OR Notfallmanagement")["content"]
    assert [hit["typeName"] for hit in found if hit["displayName"].startswith("Notfall")] == ["workspace"]
    assert not [hit for hit in found if hit["typeName"] == "wiki-article"]


def test_drafts_and_old_revisions_are_not_found(anna):
    assert anna.get("/api/search", term="Sperrfrist")["totalElements"] == 0
    assert anna.get("/api/search", term='"wird regelmäßig geprüft"')["totalElements"] == 0


def test_groups_hold_three_hits_and_the_total(anna):
    groups = anna.get("/api/search/grouped", term="e")
    assert {group["typeName"] for group in groups} == TYPES
    for group in groups:
        assert {hit["typeName"] for hit in group["page"]["content"]} == {group["typeName"]}
        assert len(group["page"]["content"]) == min(3, group["page"]["totalElements"])


def test_quick_search_finds_places_people_and_events_by_name(anna):
    found = anna.get("/api/quick-entity-search", term="brück")["content"]
    assert {item["typeName"] for item in found} == {"workspace", "user", "event"}
    assert all(item["displayName"] and item["slug"] and item["target"] for item in found)


def test_new_comments_are_found_under_their_target(anna):
    target = anna.get("/api/search", term="Eidechsen")["content"][0]["id"]
    anna.post("/api/comments", {"targetId": target, "message": "Sind das Zauneidechsinnen?"})
    assert [hit["id"] for hit in anna.get("/api/search", term="Zauneidechsinnen")["content"]] == [target]


@given(st.text(), st.text(min_size=1))
def test_an_excerpt_is_the_text_with_marks_and_no_other_markup(text, word):
    marked = excerpt(text, [fold(word)])
    assert not re.search(r"<(?!/?em>)", marked)
    assert html.unescape(re.sub("</?em>", "", marked)).strip("… ") in text


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Die Brücke & <b>", "Die <em>Brücke</em> &amp; &lt;b&gt;"),
        ("Bru\u0308cke", "<em>Bru\u0308cke</em>"),
        ("Bruecke", "<em>Bruecke</em>"),
        ("nichts", "nichts"),
        ("", ""),
    ],
)
def test_an_excerpt_marks_the_original_spelling(text, marked):
    assert excerpt(text, ["brucke"]) == marked


@given(st.text())
def test_folding_twice_changes_case_and_accents_no_further(text):
    folded = fold(text)
    assert not any(unicodedata.combining(character) for character in folded)
