"""Event times: ISO 8601 outside, the API's local times without zone inside (API §3.3, §4.7)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from pydantic import TypeAdapter, ValidationError

# The zone of DB Planet itself, for a user whose profile names none that is known.
DEFAULT_ZONE: Final = "Europe/Berlin"

_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_DATE_AND_TIME: Final = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*", re.ASCII)
_YEARS: Final = range(1900, 9999)
_PARSER: Final = TypeAdapter(datetime)


def parse_iso(value: str) -> datetime:
    """Return an ISO 8601 date and time, or a date as its midnight; without a zone it stays naive.

    Raises ValueError, worded to follow the argument's name.
    """
    try:
        if _DATE.fullmatch(value) or _DATE_AND_TIME.fullmatch(value):
            moment = _PARSER.validate_python(value)
            # At the ends of the calendar a time has no equivalent in another zone.
            if moment.year in _YEARS:
                return moment
    except ValidationError:
        pass
    raise ValueError("is not an ISO 8601 date, such as 2027-03-01T09:00 or 2027-03-01T09:00+01:00")


def check_iso(value: str) -> str:
    """Return ``value`` if it is an ISO 8601 date or date and time; raises ValueError."""
    parse_iso(value)
    return value


def is_date(value: str) -> bool:
    """Tell whether a value that ``check_iso`` accepts names a day without a time."""
    return _DATE.fullmatch(value) is not None


def check_order(start: str, end: str) -> None:
    """Raise ValueError, worded to follow ``endDate``, unless ``end`` may end an event begun at ``start``."""
    first, last = parse_iso(start), parse_iso(end)
    if is_date(start) != is_date(end):
        raise ValueError("is unlike startDate; give both as dates or both with a time")
    if (first.tzinfo is None) != (last.tzinfo is None):
        raise ValueError("is unlike startDate; give both with a zone or both without")
    if last < first or (last == first and not is_date(end)):
        raise ValueError("is not after startDate; an event ends after it starts")


def event_fields(start: str, end: str, zone: ZoneInfo) -> dict[str, Any]:
    """Return ``startDate``, ``endDate`` and ``fullDay`` as the API takes them, in the user's local time."""
    full_day = is_date(start)
    return {"startDate": _local(start, zone), "endDate": _local(end, zone), "fullDay": full_day}


def _local(value: str, zone: ZoneInfo) -> str:
    if is_date(value):
        # The platform's own form writes noon for both ends of a full day.
        return f"{value}T12:00:00"
    moment = parse_iso(value)
    if moment.tzinfo is not None:
        moment = moment.astimezone(zone)
    return moment.strftime("%Y-%m-%dT%H:%M:%S")


def zone_of(profile: Mapping[str, Any]) -> ZoneInfo:
    """Return the time zone of a user's profile."""
    try:
        return ZoneInfo(profile["timezone"])
    except (KeyError, ValueError, TypeError, OSError):
        return ZoneInfo(DEFAULT_ZONE)
