from zoneinfo import ZoneInfo

import pytest

from dbplanet.haiilo.dates import check_order, event_fields, parse_iso, zone_of
from dbplanet.haiilo.shapes import local_moment, moment

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("given", "local"),
    [
        ("2027-03-01T09:00", "2027-03-01T09:00:00"),
        ("2027-03-01 09:00:30", "2027-03-01T09:00:30"),
        ("2027-03-01T09:00:30.5", "2027-03-01T09:00:30"),
        ("2027-03-01T09:00Z", "2027-03-01T10:00:00"),
        ("2027-03-01T09:00+01:00", "2027-03-01T09:00:00"),
        ("2027-07-01T09:00:00Z", "2027-07-01T11:00:00"),
        ("2027-03-01T23:30-05:00", "2027-03-02T05:30:00"),
    ],
)
def test_times_become_the_users_local_time(given, local):
    assert event_fields(given, given, BERLIN)["startDate"] == local


def test_two_dates_are_a_full_day_at_noon_as_the_platform_writes_it():
    assert event_fields("2027-03-01", "2027-03-02", BERLIN) == {
        "startDate": "2027-03-01T12:00:00",
        "endDate": "2027-03-02T12:00:00",
        "fullDay": True,
    }


@pytest.mark.parametrize(
    "given",
    [
        "",
        "tomorrow",
        "01.03.2027",
        "2027-13-01",
        "2027-02-30T10:00",
        "1767225600",
        "2027-03-01T25:00",
        "2027-03-01T09:00x",
        "٢٠٢٧-03-01",
    ],
)
def test_what_is_no_iso_date_is_refused(given):
    with pytest.raises(ValueError, match="is not an ISO 8601 date"):
        parse_iso(given)


@pytest.mark.parametrize(
    ("start", "end", "fault"),
    [
        ("2027-03-01T10:00", "2027-03-01T09:00", "not after"),
        ("2027-03-01T10:00", "2027-03-01T10:00", "not after"),
        ("2027-03-02", "2027-03-01", "not after"),
        ("2027-03-01T10:00+01:00", "2027-03-01T09:30Z", None),
        ("2027-03-01T10:00Z", "2027-03-01T10:30+01:00", "not after"),
        ("2027-03-01", "2027-03-01", None),
        ("2027-03-01", "2027-03-01T10:00", "unlike"),
        ("2027-03-01T09:00", "2027-03-01T10:00Z", "unlike"),
    ],
)
def test_an_event_ends_after_it_starts(start, end, fault):
    if fault is None:
        check_order(start, end)
    else:
        with pytest.raises(ValueError, match=fault):
            check_order(start, end)


@pytest.mark.parametrize(
    "profile", [{}, {"timezone": None}, {"timezone": "Mars/Base"}, {"timezone": "../x"}, {"timezone": 5}]
)
def test_an_unknown_zone_is_db_planets_own(profile):
    assert zone_of(profile) == BERLIN


def test_a_known_zone_is_taken():
    assert zone_of({"timezone": "America/New_York"}) == ZoneInfo("America/New_York")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1_700_000_000_000, "2023-11-14T22:13:20Z"),
        (0, "1970-01-01T00:00:00Z"),
        ("2027-03-01T09:00:00", "2027-03-01T09:00:00"),
        (10**30, None),
        (True, None),
        (None, None),
        ("", None),
    ],
)
def test_timestamps_are_shown_in_iso_8601(value, shown):
    assert moment(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("2027-03-01T09:00:00", "2027-03-01T09:00:00+01:00 (Europe/Berlin)"),
        ("2027-03-01T09:00:00Z", "2027-03-01T10:00:00+01:00 (Europe/Berlin)"),
        ("soon", "soon"),
        (1_700_000_000_000, "2023-11-14T22:13:20Z"),
    ],
)
def test_local_times_are_shown_with_their_zone(value, shown):
    assert local_moment(value, BERLIN) == shown
