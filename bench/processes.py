"""What the kernel says of processes: processor time and memory of a process and all below it (Linux)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")
_TICK: Final = 1 / os.sysconf("SC_CLK_TCK")  # seconds
_USER_TIME, _SYSTEM_TIME = 11, 12  # fields of /proc/PID/stat, counted after the name (proc(5))


def tree(root: int) -> Iterator[int]:
    """Yield a process and all below it."""
    yield root
    for task in PROC.glob(f"{root}/task/*/children"):
        for child in task.read_text().split():
            yield from tree(int(child))


def processor_seconds(root: int) -> float:
    """Return the processor time that a tree has used, to 10 ms."""
    return sum(_ticks(pid) for pid in tree(root)) * _TICK


def _ticks(pid: int) -> int:
    after_name = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    return int(after_name[_USER_TIME]) + int(after_name[_SYSTEM_TIME])


def memory_mib(root: int) -> float:
    """Return the memory of a tree in MiB: proportional set size, so that shared pages count once."""
    sizes = ((PROC / str(pid) / "smaps_rollup").read_text() for pid in tree(root))
    return sum(int(found) for size in sizes for found in re.findall(r"\bPss:\s+(\d+)", size)) / 1024
