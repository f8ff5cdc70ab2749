"""Another try for a read that a bad moment spoilt: few, spread, and never longer than the caller waits.

Only what is safe to repeat comes here; a write never does.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception

from dbplanet.haiilo.errors import NetworkError, StatusError

T = TypeVar("T")

ATTEMPTS: Final = 3
STATUSES: Final = frozenset({429, 502, 503, 504})
# A certificate does not become better by asking again; a timeout has cost the caller enough.
CATEGORIES: Final = frozenset({"name", "refused", "reset", "network"})

# The wait after the first try, doubled after each further one; half of it is chance, so that many callers
# who failed together do not come back together.
_FIRST_WAIT: Final = 0.2


class Resumed(Generic[T]):
    """Fails at the first call as ``call`` has failed already, and calls it from the second on.

    So tenacity takes over where something failed, with that attempt counted; what succeeds at once, as nearly
    everything does, pays nothing for it.
    """

    def __init__(self, error: Exception, call: Callable[[], T]) -> None:
        self._error: Exception | None = error
        self._call = call

    def __call__(self) -> T:
        """Raise the failure that there was, then return what ``call()`` returns."""
        error, self._error = self._error, None
        if error is not None:
            raise error
        return self._call()


class Retries:
    """Tries a read up to ATTEMPTS times; ``cap`` is how many seconds one call may wait for a tenant at most.

    ``Retry-After`` is honoured up to the cap. Where it asks for more, or for more than the deadline leaves,
    the failure goes to the caller at once, who is told the seconds.
    """

    def __init__(self, cap: float) -> None:
        self._cap = cap

    def run(self, send: Callable[[], T], deadline: float | None) -> T:
        """Return what ``send()`` returns; raises what its last try raised. ``deadline`` is monotonic."""
        try:
            return send()
        except Exception as error:
            if not worth_another_try(error):
                raise
            return self._again(Resumed(error, send), deadline)

    def _again(self, send: Callable[[], T], deadline: float | None) -> T:
        def stop(state: RetryCallState) -> bool:
            waits = state.idle_for + state.upcoming_sleep
            too_late = deadline is not None and time.monotonic() + state.upcoming_sleep >= deadline
            return state.attempt_number >= ATTEMPTS or waits > self._cap or too_late

        return Retrying(
            retry=retry_if_exception(worth_another_try), wait=self._wait, stop=stop, reraise=True
        )(send)

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.retry_seconds if isinstance(error, StatusError) else None
        longest = _FIRST_WAIT * 2 ** (state.attempt_number - 1)
        own = min(random.uniform(longest / 2, longest), self._cap)  # noqa: S311 spreads, hides nothing
        return max(asked or 0.0, own)


def worth_another_try(error: BaseException) -> bool:
    """Tell whether a read that failed so may succeed a moment later."""
    if isinstance(error, StatusError):
        return error.status in STATUSES
    return isinstance(error, NetworkError) and error.category in CATEGORIES
