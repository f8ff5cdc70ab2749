"""Which form of a route is asked, and what is remembered of it."""

import threading

import pytest

from dbplanet.haiilo.errors import NetworkError, StatusError, UnauthorizedError
from dbplanet.haiilo.variants import Asked, KnownForms, Route, ask, at

INVALID = {"errorStatus": "INVALID_ARGUMENTS"}
GET = Route("GET", "/api/new", (at("/api/old"), at("/api/older")))
PUT = Route("PUT", "/api/things/{}/new", (at("/api/things/{}/old"),), entity="/api/things/{}")
POST = Route("POST", "/api/new", (at("/api/old"),))


class Tenant:
    """Knows some paths; ``asked`` is what came in."""

    def __init__(self, **answers):
        self.answers = answers
        self.asked = []

    def __call__(self, method, path, params=None, data=None):
        self.asked.append(f"{method} {path}")
        answer = self.answers.get(path.rpartition("/")[2], StatusError(404))
        if isinstance(answer, Exception):
            raise answer
        return answer


def ask_once(tenant, route, known=None, *ids):
    return ask(tenant, known or KnownForms(), "https://a.example", route, Asked(route.method, ids))


def test_the_specifications_form_is_the_first_and_mostly_the_only_one():
    tenant = Tenant(new="new", old="old")
    assert ask_once(tenant, GET) == "new"
    assert tenant.asked == ["GET /api/new"]


@pytest.mark.parametrize("refusal", [StatusError(404), StatusError(405), StatusError(400, INVALID)])
def test_a_get_goes_on_to_the_next_form(refusal):
    tenant = Tenant(new=refusal, older="older")
    assert ask_once(tenant, GET) == "older"
    assert tenant.asked == ["GET /api/new", "GET /api/old", "GET /api/older"]


@pytest.mark.parametrize(
    "refusal",
    [
        UnauthorizedError(),
        StatusError(403),
        StatusError(400),
        StatusError(400, {"errorStatus": "NAME_TAKEN"}),
        StatusError(400, "odd"),
        StatusError(409),
        StatusError(410),
        StatusError(429),
        StatusError(500, INVALID),
        StatusError(503),
        NetworkError("reset"),
    ],
    ids=lambda refusal: f"{type(refusal).__name__} {getattr(refusal, 'status', '')}",
)
def test_every_other_refusal_is_the_answer(refusal):
    tenant = Tenant(new=refusal, old="old")
    with pytest.raises(type(refusal)) as raised:
        ask_once(tenant, GET)
    assert raised.value is refusal
    assert tenant.asked == ["GET /api/new"]


@pytest.mark.parametrize("refusal", [StatusError(403), StatusError(500), UnauthorizedError()])
def test_a_refusal_of_another_form_is_not_passed_over(refusal):
    tenant = Tenant(old=refusal, older="older")
    with pytest.raises(StatusError) as raised:
        ask_once(tenant, GET)
    assert raised.value is refusal


def test_where_no_form_is_known_the_first_refusal_is_told():
    first = StatusError(405)
    tenant = Tenant(new=first)
    with pytest.raises(StatusError) as raised:
        ask_once(tenant, GET)
    assert raised.value is first


@pytest.mark.parametrize("status", [400, 404, 405])
def test_a_post_is_never_sent_twice(status):
    tenant = Tenant(new=StatusError(status, INVALID), old="old")
    with pytest.raises(StatusError):
        ask_once(tenant, POST)
    assert tenant.asked == ["POST /api/new"]


def test_a_put_goes_on_where_what_it_changes_can_be_read():
    tenant = Tenant(old="done", **{"x%2F1": {}})
    assert ask_once(tenant, PUT, None, "x/1") == "done"
    assert tenant.asked == [
        "PUT /api/things/x%2F1/new",
        "GET /api/things/x%2F1",
        "PUT /api/things/x%2F1/old",
    ]


def test_a_put_does_not_go_on_for_bad_values():
    tenant = Tenant(new=StatusError(400, INVALID), old="done", x={})
    with pytest.raises(StatusError):
        ask_once(tenant, PUT, None, "x")
    assert tenant.asked == ["PUT /api/things/x/new"]


@pytest.mark.parametrize("status", [403, 404, 500])
def test_a_put_stops_where_what_it_changes_cannot_be_read(status):
    first = StatusError(404)
    tenant = Tenant(new=first, x=StatusError(status), old="done")
    with pytest.raises(StatusError) as raised:
        ask_once(tenant, PUT, None, "x")
    assert raised.value is first
    assert tenant.asked == ["PUT /api/things/x/new", "GET /api/things/x"]


def test_the_form_that_succeeded_is_asked_at_once_the_next_time():
    tenant, known = Tenant(older="older"), KnownForms()
    ask_once(tenant, GET, known)
    tenant.asked.clear()
    assert ask_once(tenant, GET, known) == "older"
    assert tenant.asked == ["GET /api/older"]


def test_where_the_first_form_is_known_not_found_means_not_found():
    tenant, known = Tenant(new="new"), KnownForms()
    ask_once(tenant, GET, known)
    tenant.answers = {"old": "old"}
    with pytest.raises(StatusError):
        ask_once(tenant, GET, known)
    assert tenant.asked == ["GET /api/new"] * 2


def test_nothing_is_remembered_of_a_failure():
    tenant, known = Tenant(), KnownForms()
    with pytest.raises(StatusError):
        ask_once(tenant, GET, known)
    assert known.get("https://a.example", GET) is None


def test_tenants_and_routes_are_told_apart():
    known = KnownForms()
    known.keep("https://a.example", GET, 1)
    assert known.get("https://a.example", GET) == 1
    assert known.get("https://b.example", GET) is None
    assert known.get("https://a.example", PUT) is None


def test_what_is_known_is_forgotten_after_a_while():
    now = [0.0]
    known = KnownForms(seconds=10, clock=lambda: now[0])
    known.keep("https://a.example", GET, 1)
    now[0] = 9.9
    assert known.get("https://a.example", GET) == 1
    now[0] = 10
    assert known.get("https://a.example", GET) is None


def test_the_memory_is_bounded_and_the_oldest_goes():
    known = KnownForms(most=2)
    for tenant in ("a", "b", "a", "c"):
        known.keep(tenant, GET, 1)
    assert [known.get(tenant, GET) for tenant in "abc"] == [1, None, 1]


def test_many_threads_may_share_it():
    known = KnownForms(most=5)

    def use(number):
        for round_ in range(200):
            known.keep(f"{number}-{round_}", GET, number)
            assert known.get(f"{number}-{round_}", GET) in (number, None)

    threads = [threading.Thread(target=use, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(known.get(f"{n}-{r}", GET) is not None for n in range(8) for r in range(200)) == 5
