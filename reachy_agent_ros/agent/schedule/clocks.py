"""Clocks of the schedule: the wall clock, the boot clock, and the time zone of this machine."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path

from reachy_agent_ros.agent.toolbox.clock import time_zone

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_LOCALTIME = Path("/etc/localtime")
_ZONES = "/zoneinfo/"


def boot_time() -> float:
    """Returns the time since this machine started, including the time in which it slept, s."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


@cache
def boot_id() -> str:
    """Returns the id of the current boot, which differs after every start of the machine."""
    return _BOOT_ID.read_text().strip()


def local_zone() -> str:
    """Returns the IANA name of this machine's time zone: of the variable TZ or /etc/localtime; UTC if unknown."""
    named = os.environ.get("TZ", "").lstrip(":") or str(_LOCALTIME.resolve())
    name = named.rpartition(_ZONES)[2].removeprefix("posix/")
    return name if name and not name.startswith("/") else "UTC"


@dataclass(frozen=True)
class Clocks:
    """Clocks of the schedule; replaceable for simulated time.

    Attributes:
        wall: Wall clock, s since the epoch.
        boot: Boot clock, s.
        boot_id: Returns the id of the current boot.
        zone: Returns the IANA name of the local time zone.
    """

    wall: Callable[[], float] = field(default=time.time)
    boot: Callable[[], float] = field(default=boot_time)
    boot_id: Callable[[], str] = field(default=boot_id)
    zone: Callable[[], str] = field(default=local_zone)

    def now(self) -> datetime:
        """Returns the local time with its zone."""
        return datetime.fromtimestamp(self.wall(), time_zone(self.zone()))
