"""The two notations of time that Haiilo uses."""

from __future__ import annotations

import time
from datetime import datetime
from zoneinfo import ZoneInfo

TIME_ZONE = "Europe/Berlin"
LOCAL_FORMAT = "%Y-%m-%dT%H:%M:%S"
DAY_MS = 86_400_000


def now_ms() -> int:
    """Return the current time as entity timestamps have it: milliseconds since 1970."""
    return int(time.time() * 1000)


def local_now() -> datetime:
    """Return the wall-clock time of the tenant's users, without a zone, to the second."""
    return datetime.now(ZoneInfo(TIME_ZONE)).replace(tzinfo=None, microsecond=0)


def local_string(moment: datetime) -> str:
    """Write an event's date as Haiilo does: local and without a zone."""
    return moment.strftime(LOCAL_FORMAT)
