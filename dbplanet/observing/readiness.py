"""What ``/ready`` asks: the session store, the configuration's files, and free threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from dbplanet.observing.load import Load
from dbplanet.setting_types import can_be_appended
from dbplanet.settings import PREFIX, Settings


def checks(settings: Settings, store: Callable[[], str], load: Load) -> Mapping[str, Callable[[], str]]:
    """Return the checks by name; each, like ``store()``, returns what is wrong, or an empty text."""
    return {
        "store": store,
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
