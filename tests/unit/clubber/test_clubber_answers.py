"""What an endpoint answers is classified by its shape, whatever the status."""

import json

import pytest

from dbplanet.clubber.answers import Fault, NotGraphQLError, classify
from dbplanet.egress import Answer

JSON = "application/json"
RESPONSE = "application/graphql-response+json"
SYNTAX = {"message": "Syntax Error: Expected Name, found <EOF>.", "locations": [{"line": 1, "column": 16}]}
INSIDE = {"message": "Invalid email", "locations": [{"line": 1, "column": 12}], "path": ["createMember"]}


def answer(status, content_type, body, **headers):
    raw = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
    return Answer(status, "", {"Content-Type": content_type, **headers}, raw, "http://api/graphql")


@pytest.mark.parametrize(
    ("status", "content_type", "body"),
    [
        (200, JSON, {"data": None, "errors": [SYNTAX]}),  # strawberry, graphene
        (400, JSON, {"errors": [SYNTAX]}),  # ariadne, Apollo
        (200, JSON, {"errors": [SYNTAX]}),  # Yoga, Hasura
        (400, RESPONSE, {"errors": [SYNTAX]}),
        (422, RESPONSE, {"errors": [SYNTAX]}),  # September 2026
        (400, "text/plain; charset=utf-8", 'Unknown operation named "Z".'),  # strawberry
        (400, "text/html", "Must provide query string."),  # graphql-server
    ],
)
def test_a_request_error_means_that_nothing_was_executed(status, content_type, body):
    assert classify(answer(status, content_type, body)).is_refused


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, {"data": None, "errors": [INSIDE]}),
        (400, {"data": None, "errors": [INSIDE]}),  # ariadne
        (200, {"data": {"updateMember": None}, "errors": [INSIDE]}),
        (294, {"data": {"updateMember": None}, "errors": [INSIDE]}),  # September 2026
        (200, {"errors": [INSIDE], "data": {"createMember": None}}),
    ],
)
def test_an_error_with_a_path_was_executed(status, body):
    outcome = classify(answer(status, JSON, body))
    assert not outcome.is_refused
    assert [fault.field for fault in outcome.faults] == ["createMember"]


@pytest.mark.parametrize("status", [200, 203, 294, 400, 500])
def test_data_without_errors_succeeded_whatever_the_status(status):
    outcome = classify(answer(status, RESPONSE, {"data": {"member": None}, "extensions": {}}))
    assert (outcome.data, outcome.faults) == ({"member": None}, ())


@pytest.mark.parametrize(
    ("status", "content_type", "body"),
    [
        (200, "text/html", "<html><title>Explorer</title><p>GraphiQL</p></html>"),
        (404, "text/html", "<h1>Not Found</h1>"),
        (502, JSON, {"message": "bad gateway"}),
        (200, JSON, []),
        (200, JSON, {"data": [1]}),
        (200, JSON, {"errors": []}),
        (200, JSON, b""),
        (200, JSON, "[" * 100_000),
        (200, JSON, '{"data": ' + "9" * 5_000 + "}"),
        (400, "text/html", "<pre>BadRequestError: at /srv/app.js</pre>"),
    ],
)
def test_everything_else_is_no_graphql(status, content_type, body):
    with pytest.raises(NotGraphQLError) as caught:
        classify(answer(status, content_type, body))
    assert caught.value.status == status
    assert "<" not in caught.value.excerpt
    assert len(caught.value.excerpt) <= 301


def test_repeated_errors_are_told_once():
    errors = [{"message": "disabled", "locations": [{"line": n, "column": 1}]} for n in range(1, 41)]
    assert len(classify(answer(200, JSON, {"data": None, "errors": errors})).faults) == 1


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        ("bare", Fault("bare")),
        ({"message": "m", "locations": "x", "path": 5, "extensions": 7}, Fault("m")),
        ({"message": "m", "locations": [{"line": 0, "column": "y"}]}, Fault("m")),
        ({"message": "m", "extensions": {"code": "E", "path": "$.a.b"}}, Fault("m", code="E", field="$.a.b")),
        ({"message": "a\u200b\nb\x00"}, Fault("a b")),
        ({}, Fault("The API gave no message.")),
    ],
)
def test_errors_of_any_form_are_read(error, fault):
    assert classify(answer(200, JSON, {"errors": [error]})).faults == (fault,)
