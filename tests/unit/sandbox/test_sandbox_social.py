"""Comments, likes, notifications."""

from __future__ import annotations

import pytest

from dbplanet.sandbox import entity_id

ANNA = entity_id("user/anna.schmidt")
JONAS = entity_id("user/jonas.weiss")
ARTICLE = entity_id("blog-article/brueckenprogramm")
POST = entity_id("timeline-item/bruecke-gesperrt")
SECRET = entity_id("blog-article/protokoll-brueckenzulage")
CLOSED = entity_id("blog-article/jobrad")


def test_comments_come_oldest_first_with_author_and_likes(anna):
    comments = anna.get("/api/comments", targetId=ARTICLE, targetType="blog-article")
    assert [comment["author"]["displayName"] for comment in comments["content"]] == [
        "Mehmet Yıldız",
        "Jonas Weiß",
        "Thị Lan Nguyễn",
    ]
    assert comments["content"][0]["likes"] == {"count": 0, "likedBySender": False, "latest": []}
    assert comments["content"][0]["target"] == {"id": ARTICLE, "typeName": "blog-article"}
    newest = anna.get("/api/comments", targetId=ARTICLE, _orderBy="created,desc", _pageSize=1)
    assert newest["content"] == comments["content"][-1:]


@pytest.mark.parametrize(
    ("query", "refused"),
    [
        ({}, (400, "INVALID_ARGUMENTS", ["targetId"])),
        ({"targetId": ARTICLE, "targetType": "page"}, (400, "INVALID_ARGUMENTS", ["targetType"])),
        ({"targetId": ARTICLE, "targetType": "wiki-article"}, (404, "NOT_FOUND", [])),
        ({"targetId": ANNA}, (400, "INVALID_ARGUMENTS", ["targetId"])),
        ({"targetId": "nothing"}, (404, "NOT_FOUND", [])),
        ({"targetId": SECRET}, (404, "NOT_FOUND", [])),
    ],
    ids=str,
)
def test_comments_need_a_target_one_may_see(anna, query, refused):
    assert anna.refused("GET", "/api/comments", query_string=query) == refused


@pytest.mark.parametrize("target_type", [None, "timeline-item"])
def test_a_comment_is_posted_as_oneself(mehmet, anna, target_type):
    form = {"targetId": POST, "targetType": target_type, "message": "Danke für **die Info**, Jürgen!"}
    made = mehmet.post("/api/comments", form)
    assert (made["author"]["slug"], made["message"]) == ("mehmet-yildiz", form["message"])
    assert anna.get("/api/comments", targetId=POST)["content"][-1]["id"] == made["id"]
    assert anna.get(f"/api/timeline-items/{POST}")["comments"]["totalElements"] == 2


def test_a_comment_may_speak_for_a_page_one_manages(anna):
    page = entity_id("page/startseite")
    form = {"targetId": POST, "message": "Die Redaktion", "authorId": page}
    assert anna.post("/api/comments", form)["author"]["id"] == page


@pytest.mark.parametrize(
    ("form", "refused"),
    [
        ({"message": "x"}, (400, "INVALID_ARGUMENTS", ["targetId"])),
        ({"targetId": POST}, (400, "INVALID_ARGUMENTS", ["message"])),
        ({"targetId": POST, "message": " "}, (400, "INVALID_ARGUMENTS", ["message"])),
        ({"targetId": POST, "message": {"a": 1}}, (400, "INVALID_ARGUMENTS", ["message"])),
        ({"targetId": POST, "message": "x", "authorId": JONAS}, (403, "ERROR", [])),
        ({"targetId": CLOSED, "message": "x"}, (403, "ERROR", [])),
        ({"targetId": SECRET, "message": "x"}, (404, "NOT_FOUND", [])),
    ],
    ids=str,
)
def test_a_comment_that_cannot_be_posted_changes_nothing(anna, form, refused):
    before = anna.get("/api/comments", targetId=POST)
    assert anna.refused("POST", "/api/comments", json=form) == refused
    assert anna.get("/api/comments", targetId=POST) == before


def test_the_author_hears_of_a_comment(mehmet, anna):
    before = anna.get("/api/notifications/status")["unseen"]
    mehmet.post("/api/comments", {"targetId": ARTICLE, "message": "Und die Mainbrücke?"})
    newest = anna.get("/api/notifications", category="DISCUSSION", _pageSize=1)["content"][0]
    assert (newest["author"]["slug"], newest["excerpt"]) == ("mehmet-yildiz", "Und die Mainbrücke?")
    assert newest["target"]["params"]["id"] == ARTICLE
    assert anna.get("/api/notifications/status")["unseen"]["_total"] == before["_total"] + 1


def test_a_like_is_given_once_and_taken_back(anna, jonas):
    path = f"/api/like-targets/blog-article/{ARTICLE}"
    assert anna.get(path, senderId=ANNA)["likedBySender"] is False
    for _ in range(2):
        info = anna.post(f"{path}/likes/{ANNA}")
        assert (info["count"], info["likedBySender"], info["latest"][0]["id"]) == (6, True, ANNA)
    assert anna.get(path)["likedBySender"] is True
    assert anna.get(path, senderId=JONAS)["likedBySender"] is True
    assert anna.call("DELETE", f"{path}/likes/{ANNA}").json["count"] == 5
    assert anna.get(path, senderId=ANNA)["likedBySender"] is False
    assert jonas.get(path)["count"] == 5


@pytest.mark.parametrize("method", ["POST", "DELETE"])
@pytest.mark.parametrize(
    ("target", "sender", "status"),
    [
        (f"blog-article/{ARTICLE}", JONAS, 403),
        (f"blog-article/{ARTICLE}", entity_id("workspace/brueckenbau"), 403),
        (f"blog-article/{ARTICLE}", entity_id("page/startseite"), 200),
        (f"blog-article/{SECRET}", ANNA, 404),
        (f"wiki-article/{ARTICLE}", ANNA, 404),
        (f"page/{entity_id('page/startseite')}", ANNA, 400),
        (f"comment/{entity_id('comment/0')}", ANNA, 200),
    ],
)
def test_one_likes_what_one_sees_as_who_one_is(anna, method, target, sender, status):
    assert anna.call(method, f"/api/like-targets/{target}/likes/{sender}").status_code == status


def test_notifications_are_newest_first_in_both_categories(anna):
    items = anna.get("/api/notifications")["content"]
    created = [item["created"] for item in items]
    assert created == sorted(created, reverse=True)
    assert {item["category"] for item in items} == {"DISCUSSION", "ACTIVITY"}
    only = anna.get("/api/notifications", category="ACTIVITY")["content"]
    assert {item["category"] for item in only} == {"ACTIVITY"}
    assert only[0]["messageArguments"] == {
        "s1": "Jonas Weiß",
        "s2": "Brückentag an der Ruhr: Baustelle erleben",
    }
    assert anna.refused("GET", "/api/notifications?category=GOSSIP")[2] == ["category"]


def test_marking_as_seen_clears_one_category_or_all_and_only_ones_own(anna, jonas):
    assert anna.get("/api/notifications/status") == {
        "unseen": {"_total": 4, "DISCUSSION": 2, "ACTIVITY": 2},
        "unclicked": {"DISCUSSION": 2, "ACTIVITY": 3},
    }
    assert anna.call("PUT", "/api/notifications/mark-seen?category=ACTIVITY").status_code == 204
    assert anna.get("/api/notifications/status")["unseen"] == {"_total": 2, "DISCUSSION": 2, "ACTIVITY": 0}
    answer = anna.call("PUT", "/api/notifications/mark-seen")
    assert (answer.status_code, answer.data) == (204, b"")
    assert anna.get("/api/notifications/status")["unseen"]["_total"] == 0
    assert jonas.get("/api/notifications/status")["unseen"]["_total"] == 1
