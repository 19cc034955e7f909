"""How many cores a process may use. `joblib` knows that too, but importing it takes longer than the first step."""

import math
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

# Where Linux says how much processor time a container may use in how much time: its second, then its first version.
LIMITS: Final = (
    ("/sys/fs/cgroup/cpu.max",),
    ("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us"),
)


def usable_cores() -> int:
    """Return how many cores this process may use: those that the system allows, fewer in a container with a limit."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    for files in LIMITS:
        with suppress(OSError, ValueError):  # there is no such file, or it says "max"
            quota, period = (int(number) for file in files for number in Path(file).read_text().split())
            if quota > 0:
                return max(1, min(cores, math.ceil(quota / period)))
    return cores
