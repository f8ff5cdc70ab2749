from __future__ import annotations

import re
from datetime import datetime

import pytest

from dbplanet.sandbox import entity_id
from dbplanet.sandbox.clock import local_now, local_string

ANNA = entity_id("user/anna.schmidt")
RUHR = "/api/events/brueckentag-ruhr"
TOWNHALL = "/api/events/townhall-fahrplanwechsel"
FORM = {
    "name": "Gleiswanderung",
    "startDate": "2090-05-01T10:00:00",
    "endDate": "2090-05-01T12:00:00",
    "senderId": ANNA,
    "place": "Höllentalbahn",
}


def test_an_event_has_local_dates_a_host_and_ones_own_status(anna):
    event = anna.get(RUHR)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT10:00:00", event["startDate"])
    assert event["startDate"] > local_string(local_now())
    assert (event["status"], event["sender"]["slug"]) == ("PENDING", "brueckenbau")
    assert event["place"] == "Ruhrbrücke, Duisburg"


def test_events_to_come_are_listed_by_start(anna):
    events = anna.get("/api/events")["content"]
    starts = [event["startDate"] for event in events]
    assert starts == sorted(starts)
    assert "klausur-tarifkommission" not in {event["slug"] for event in events}
    everything = anna.get("/api/events", **{"from": "2000-01-01T00:00:00"})["content"]
    assert len(everything) > len(events)


def test_participants_are_flat_cards(anna):
    cards = anna.get(f"{RUHR}/memberships")
    assert cards["totalElements"] == 7
    assert set(cards["content"][0]) == {"userId", "displayName", "slug", "imageUrls", "role", "status"}
    maybe = anna.get(f"{RUHR}/memberships", filters="status=MAYBE_ATTENDING")["content"]
    assert [card["displayName"] for card in maybe] == ["Hans-Peter Voß"]


def test_hidden_participants_are_403(anna):
    assert anna.refused("GET", "/api/events/hackathon-gleis-9/memberships")[0] == 403


@pytest.mark.parametrize("status", ["ATTENDING", "MAYBE_ATTENDING", "NOT_ATTENDING"])
def test_an_answer_is_kept(anna, mehmet, status):
    card = mehmet.put(f"{RUHR}/memberships/status", {"status": status})
    assert (card["status"], card["role"]) == (status, "USER")
    assert mehmet.get(RUHR)["status"] == status
    assert anna.get(RUHR)["status"] == "PENDING"


@pytest.mark.parametrize("status", ["PENDING", "accepted", "", None, 1, ["ATTENDING"]])
def test_other_answers_are_refused(anna, status):
    refused = anna.refused("PUT", f"{RUHR}/memberships/status", json={"status": status})
    assert refused == (400, "INVALID_ARGUMENTS", ["status"])


def test_a_definite_answer_may_not_be_maybe(anna):
    path = f"{TOWNHALL}/memberships/status"
    assert anna.refused("PUT", path, json={"status": "MAYBE_ATTENDING"})[2] == ["status"]
    assert anna.put(path, {"status": "NOT_ATTENDING"})["status"] == "NOT_ATTENDING"


def test_an_event_that_has_begun_takes_no_answers(anna):
    answer = anna.call(
        "PUT", "/api/events/winterdienst-schulung/memberships/status", json={"status": "ATTENDING"}
    )
    assert (answer.status_code, answer.json["errorStatus"]) == (400, "EVENT_ALREADY_STARTED")
    assert answer.json["context"] == {"eventName": "Schulung Winterdienst"}


def test_a_private_event_does_not_exist_for_others(anna, jonas):
    path = "/api/events/klausur-tarifkommission"
    assert anna.refused("GET", path)[:2] == (404, "NOT_FOUND")
    assert jonas.get(path)["status"] == "ATTENDING"


def test_a_new_event_comes_wrapped(anna):
    answer = anna.post("/api/events", FORM)
    assert set(answer) == {"event"}
    event = anna.get(f"/api/events/{answer['event']['id']}")
    assert {key: event[key] for key in ("name", "startDate", "endDate", "place")} == {
        key: FORM[key] for key in ("name", "startDate", "endDate", "place")
    }
    assert (event["status"], event["sender"]["id"], event["slug"]) == ("ATTENDING", ANNA, "gleiswanderung")
    assert datetime.fromisoformat(event["startDate"]).tzinfo is None


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({"name": None}, ["name"]),
        ({"name": "x" * 256}, ["name"]),
        ({"place": "x" * 256}, ["place"]),
        ({"startDate": None}, ["startDate"]),
        ({"startDate": "2090-05-01T10:00:00Z"}, ["startDate"]),
        ({"startDate": "2090-05-01T10:00:00+02:00"}, ["startDate"]),
        ({"endDate": "2090-05-01"}, ["endDate"]),
        ({"endDate": "2090-02-31T10:00:00"}, ["endDate"]),
        ({"endDate": 3792000000}, ["endDate"]),
        ({"endDate": FORM["startDate"]}, ["endDate"]),
        ({"endDate": "2090-04-30T10:00:00"}, ["endDate"]),
        ({"senderId": None}, ["senderId"]),
    ],
    ids=str,
)
def test_a_bad_event_is_400_and_names_the_field(anna, change, fields):
    assert anna.refused("POST", "/api/events", json=FORM | change) == (400, "INVALID_ARGUMENTS", fields)


@pytest.mark.parametrize(
    ("host", "status"),
    [("page/startseite", 201), ("workspace/brueckenbau", 403), ("user/jonas.weiss", 403)],
)
def test_one_hosts_as_oneself_or_what_one_manages(anna, host, status):
    answer = anna.call("POST", "/api/events", json=FORM | {"senderId": entity_id(host)})
    assert answer.status_code == status


def test_readers_create_no_events(mehmet):
    form = FORM | {"senderId": entity_id("user/mehmet.yildiz")}
    assert mehmet.refused("POST", "/api/events", json=form)[0] == 403
