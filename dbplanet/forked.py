"""What processes forked from one master settle among themselves."""

from __future__ import annotations

import os
from collections.abc import Callable


def one_of_the_forked() -> Callable[[], bool]:
    """Return what returns True once, in one of the processes forked later: who takes a pipe's only byte."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.write(writing, b"1")

    def take() -> bool:
        try:
            return bool(os.read(reading, 1))
        except BlockingIOError:
            return False

    return take
