"""Notifications in words."""

import pytest

from dbplanet.tools.sentences import sentence

ADA = {"id": "u1", "displayName": "Ada"}


def told(kind, *, key="NOTIFICATIONS.X", category=None, arguments=("Ada", "Titel"), author=ADA, **more):
    named = {f"s{number}": text for number, text in enumerate(arguments, 1)}
    return sentence(
        {
            "typeName": kind,
            "messageKey": key,
            "category": category,
            "messageArguments": named,
            "author": author,
            **more,
        }
    )


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("user-follow", "Ada follows you"),
        ("report", "Ada reported content “Titel”"),
        ("workspace-approved", "Ada accepted your request to join the workspace “Titel”"),
        ("workspace-invited", "Ada invited you to the workspace “Titel”"),
        ("workspace-joined", "Ada joined the workspace “Titel”"),
        ("workspace-rejected", "Ada declined your request to join the workspace “Titel”"),
        ("workspace-removed", "Ada removed you from the workspace “Titel”"),
        ("workspace-requested", "Ada asks to join the workspace “Titel”"),
        ("event-invited", "Ada invited you to the event “Titel”"),
        ("event-attending", "Ada will attend the event “Titel”"),
        ("event-maybe-attending", "Ada may attend the event “Titel”"),
        ("external-article", "Ada sent “Titel”"),
        ("something-new", "Ada: something new: “Titel”"),
        (None, "Ada: notification: “Titel”"),
    ],
)
def test_each_type_has_its_sentence(kind, words):
    assert told(kind) == words


@pytest.mark.parametrize(
    "kind", ["blog-article", "wiki-article", "file", "forum-thread", "list-entry", "task"]
)
def test_the_category_tells_what_the_type_does_not(kind):
    noun = kind.replace("-", " ")
    assert told(kind, category="ACTIVITY") == f"Ada published or changed the {noun} “Titel”"
    assert told(kind, category="DISCUSSION") == f"Ada takes part in the discussion of the {noun} “Titel”"
    assert told(kind) == f"Ada: {noun}: “Titel”"


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("NOTIFICATIONS.BLOG.ARTICLE.COMMENT", "Ada commented on the blog article “Titel”"),
        ("NOTIFICATIONS.BLOG.ARTICLE.LIKE", "Ada likes the blog article “Titel”"),
        ("NOTIFICATIONS.BLOG.ARTICLE.MENTION", "Ada mentioned you in the blog article “Titel”"),
        ("share", "Ada shared the blog article “Titel”"),
    ],
)
def test_the_key_tells_more_than_the_type(key, words):
    assert told("blog-article", key=key, category="DISCUSSION") == words


def test_what_is_missing_is_not_invented():
    assert told("timeline-item", key="X.LIKE", arguments=["Ada"]) == "Ada likes a post"
    assert told("user-follow", author=None) == "Somebody follows you"
    assert sentence({}) == "Somebody: notification"


def test_the_senders_own_words_come_first():
    assert told("external-article", messages={"WEB": "Neu:\nder Bericht"}) == "Neu: der Bericht"


def test_braces_in_a_title_stay_text():
    assert told("user-follow", author={"displayName": "{what}"}) == "{what} follows you"
