"""Retry-After in all its forms, and what retries make of it."""

import time
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbplanet.haiilo.errors import NetworkError, StatusError, UpstreamTimeoutError, handle_api_error
from dbplanet.haiilo.retries import ATTEMPTS, Retries
from dbplanet.haiilo.retry_after import retry_after_seconds

NOW = 1_792_567_680.0  # Wed, 21 Oct 2026 07:28:00 GMT


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("2", 2),
        (" 2 ", 2),
        ("0", 0),
        ("999999", 999_999),
        ("Wed, 21 Oct 2026 07:28:30 GMT", 30),
        ("Wed, 21 Oct 2026 07:28:30", 30),
        ("Wednesday, 21-Oct-26 07:28:30 GMT", 30),
        ("Wed, 21 Oct 2026 07:00:00 GMT", 0),
        ("-1", None),
        ("1.5", None),
        ("soon", None),
        ("", None),
        (None, None),
        ("99999999999999999999", None),
        ("Wed, 21 Oct 99999 07:28:30 GMT", None),
        ("٣", None),
    ],
)
def test_seconds_and_dates_are_read_and_junk_is_nothing(value, seconds):
    assert retry_after_seconds(value, lambda: NOW) == seconds


@given(st.text())
def test_no_header_is_an_exception(value):
    seconds = retry_after_seconds(value)
    assert seconds is None or seconds >= 0


@pytest.fixture
def slept(monkeypatch):
    """The waits, in place of waiting."""
    waits = []
    monkeypatch.setattr("tenacity.nap.time", SimpleNamespace(sleep=waits.append))
    return waits


def run(error, *, cap=10.0, deadline=None, succeeds_at=None):
    """Return how often was tried, and what was raised or returned."""
    tries = []

    def send():
        tries.append(1)
        if len(tries) == succeeds_at:
            return "answer"
        raise error

    try:
        return len(tries), Retries(cap).run(send, deadline), len(tries)
    except type(error) as raised:
        return None, raised, len(tries)


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_read_is_tried_a_few_times_with_growing_waits(slept, status):
    _, raised, tries = run(StatusError(status))
    assert (raised.status, tries) == (status, ATTEMPTS)
    assert 0.1 <= slept[0] <= 0.2 <= slept[1] <= 0.4


@pytest.mark.parametrize("category", ["name", "refused", "reset", "network"])
def test_a_broken_connection_is_tried_again_and_may_succeed(slept, category):
    assert run(NetworkError(category), succeeds_at=2)[1:] == ("answer", 2)
    assert len(slept) == 1


@pytest.mark.parametrize(
    "error",
    [StatusError(500), StatusError(404), StatusError(401), NetworkError("tls"), UpstreamTimeoutError()],
)
def test_what_another_try_cannot_help_is_tried_once(slept, error):
    assert run(error)[1:] == (error, 1)
    assert slept == []


@pytest.mark.parametrize(("asked", "waits"), [("2", [2, 2]), ("0", None), ("soon", None), ("5", [5, 5])])
def test_retry_after_is_honoured_up_to_the_cap(slept, asked, waits):
    run(StatusError(429, None, asked))
    assert slept == waits if waits else all(0.1 <= wait <= 0.4 for wait in slept)


@pytest.mark.parametrize(
    ("asked", "cap", "tries"), [("11", 10, 1), ("6", 10, 2), ("999999", 10, 1), ("1", 0, 1), ("3", 6, 3)]
)
def test_all_waits_of_a_call_together_stay_within_the_cap(slept, asked, cap, tries):
    assert run(StatusError(503, None, asked), cap=cap)[2] == tries
    assert sum(slept) <= cap


def test_no_wait_goes_beyond_the_deadline(slept):
    assert run(StatusError(503, None, "3"), deadline=time.monotonic() + 2)[2] == 1
    assert slept == []


@pytest.mark.parametrize(("asked", "told"), [("120", 120), ("0", 1), ("7", 7)])
@pytest.mark.parametrize("status", [429, 503])
def test_the_seconds_are_told(status, asked, told):
    text = handle_api_error(StatusError(status, None, asked)).text
    assert f"DB Planet asks to wait {told} seconds before the next try." in text


@pytest.mark.parametrize("asked", [None, "soon", "-1"])
def test_where_nothing_readable_is_asked_nothing_is_told(asked):
    assert "asks to wait" not in handle_api_error(StatusError(429, None, asked)).text
