"""How many requests are in progress, and what becomes a label."""

import pytest

from dbplanet import create_app
from dbplanet.observing.load import Load
from dbplanet.observing.metrics import Metrics, outcome_label


class Shown:
    def __init__(self):
        self.now = [0, 0, 0]

    def show_load(self, requests, streams, waiting):
        self.now = [self.now[0] + requests, self.now[1] + streams, waiting]


def serving(kind, body=(b"x",), error=None):
    def application(environ, start_response):
        if error:
            raise error
        start_response("200 OK", [("Content-Type", kind)])
        return iter(body)

    return application


@pytest.mark.parametrize(("kind", "streams"), [("application/json", 0), ("text/event-stream", 1)])
def test_a_request_counts_until_its_answer_is_closed(kind, streams):
    shown = Shown()
    load = Load(serving(kind), 4, shown)
    load.waiting = lambda: 3
    answer = load({}, lambda status, headers: None)
    assert (load.busy, shown.now) == (1, [1, streams, 3])
    assert list(answer) == [b"x"]
    assert load.busy == 1
    answer.close()
    assert (load.busy, shown.now) == (0, [0, 0, 3])


def test_an_application_that_raises_is_not_counted_for_ever():
    load = Load(serving("text/plain", error=ZeroDivisionError()), 4)
    with pytest.raises(ZeroDivisionError):
        load({}, lambda status, headers: None)
    assert load.busy == 0


@pytest.mark.parametrize(
    ("threads", "busy", "fine"),
    [(4, 1, True), (4, 3, True), (4, 4, False), (160, 150, True), (160, 151, False), (160, 200, False)],
)
def test_one_thread_in_sixteen_must_be_free(threads, busy, fine):
    load = Load(serving("text/plain"), threads)
    load.busy = busy
    assert (load.headroom() == "") is fine


@pytest.mark.parametrize(
    ("outcome", "label"),
    [
        ("ok", "ok"),
        (200, "2xx"),
        ("404", "404"),
        ("418", "4xx"),
        (599, "5xx"),
        (999, "other"),
        ("TIMEOUT", "TIMEOUT"),
        ("dns", "dns"),
        ("what a stranger says", "other"),
        ("٤٠٤", "other"),
    ],
)
def test_outcomes_are_labels_of_a_closed_list(outcome, label):
    assert outcome_label(outcome) == label


def test_two_applications_count_apart():
    one, other = Metrics(4), Metrics(4)
    one.count_call("s", "t", "ok", 0.1)
    assert b'tool="t"' in one.text(dict)
    assert b'tool="t"' not in other.text(dict)


def test_metrics_and_readiness_are_routes_of_our_own_application():
    client = create_app().test_client()
    assert client.get("/metrics").status_code == 200
    assert client.get("/metrics", headers={"Host": "evil.example"}).status_code == 421
    assert client.get("/ready").get_json()["checks"]["store"] == "ok"
