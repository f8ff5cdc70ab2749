"""What ``/ready`` asks: the session store, the configuration's files, and free threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from dbplanet.observing.load import Load
from dbplanet.setting_types import can_be_appended
from dbplanet.settings import PREFIX, Settings


class Store(Protocol):
    """A session store, as far as readiness and metrics must know it."""

    def ready(self) -> bool:
        """Tell within a second or so, without raising, whether it can be used."""

    def count(self) -> int:
        """Return the number of live sessions."""


def checks(settings: Settings, stores: Iterable[Store], load: Load) -> Mapping[str, Callable[[], str]]:
    """Return the checks by name; each returns what is wrong, or an empty text."""
    asked = tuple(stores)
    return {
        "store": lambda: "" if all(store.ready() for store in asked) else "the session store does not answer",
        "configuration": lambda: _lost_files(settings),
        "threads": load.headroom,
    }


def _lost_files(settings: Settings) -> str:
    """Return which file of the settings, fine at the start, can no longer be used."""
    usable = {
        "CA_BUNDLE": settings.ca_bundle is None or os.access(settings.ca_bundle, os.R_OK),
        "AUDIT_LOG": settings.audit_log is None or can_be_appended(settings.audit_log),
    }
    lost = [f"{PREFIX}{name}" for name, fine in usable.items() if not fine]
    return f"the file of {', '.join(lost)} cannot be used any more" if lost else ""
