"""The folder where the numbers of several workers meet; prometheus_client has its name of the environment."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

MULTIPROCESS: Final = "PROMETHEUS_MULTIPROC_DIR"


def available() -> bool:
    """Tell whether prometheus_client is installed, without importing it: it reads the folder's name then."""
    return find_spec("prometheus_client") is not None
