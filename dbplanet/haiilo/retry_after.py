"""``Retry-After``: how long the tenant asks us to wait (RFC 9110, section 10.2.3)."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import timezone
from email.utils import parsedate_to_datetime
from typing import Final

_SECONDS: Final = re.compile(r"\d{1,10}", re.ASCII)


def retry_after_seconds(value: str | None, now: Callable[[], float] = time.time) -> float | None:
    """Return the seconds that a header asks for, in digits or as a date; None where it says neither.

    ``now`` gives the time of day in seconds since 1970. A date that is over is 0.
    """
    text = (value or "").strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=timezone.utc)
        return max(moment.timestamp() - now(), 0.0)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
