"""Times on the wall clock of a time zone, with recurrence (RFC 5545) and changes of the clocks.

An hour that repeats when the clocks go back counts once, the first time. A time that is skipped when the clocks go
forward is moved by the length of the gap: 2:30 becomes 3:30.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property

from dateutil.rrule import rrulestr
from dateutil.tz import datetime_exists, resolve_imaginary

from reachy_agent_ros.agent.toolbox.clock import time_zone

_PERIODS = {"SECONDLY": 1.0, "MINUTELY": 60.0, "HOURLY": 3600.0}
"""Frequencies of recurrences with a fixed period, s. They do not depend on the time of day."""


@dataclass(frozen=True)
class WallTime:
    """Time of day in a time zone, once or repeated.

    Attributes:
        local: Local time of the next occurrence, without a zone, as the person named it.
        zone: IANA name of the time zone.
        rrule: RRULE of the recurrence, in which `local` is an occurrence; empty for once.
    """

    local: datetime
    zone: str
    rrule: str = ""

    @cached_property
    def moment(self) -> datetime:
        """Point in time of `local`, with its zone."""
        existing: datetime = resolve_imaginary(self.local.replace(tzinfo=time_zone(self.zone), fold=0))
        return existing

    @property
    def wall_due(self) -> float:
        """Point in time of `local`, s since the epoch."""
        return self.moment.timestamp()

    @property
    def is_moved(self) -> bool:
        """Whether `local` does not exist, because the clocks are set forward over it. `moment` is then later."""
        return not datetime_exists(self.local, time_zone(self.zone))

    def following(self, now: float) -> tuple[WallTime | None, int]:
        """Returns the first later occurrence that is not yet due, and how many due occurrences precede it.

        Args:
            now: Wall clock time, s since the epoch.

        Returns:
            The occurrence, None if there is none; and the number of occurrences after this one, up to `now`.
        """
        if not self.rrule:
            return None, 0
        if (period := self._period) is not None:
            missed = max(0, int((now - self.wall_due) // period))
            return self._at(self.local + timedelta(seconds=(missed + 1) * period)), missed
        skipped = 0
        for local in rrulestr(self.rrule, dtstart=self.local).xafter(self.local):
            later = self._at(local)
            if later.wall_due > max(now, self.wall_due):
                return later, skipped
            skipped += later.wall_due > self.wall_due
        return None, skipped

    @property
    def _period(self) -> float | None:
        """Period of a recurrence that does not depend on the time of day, s; None for other times."""
        if not self.rrule:
            return None
        rule = dict(part.split("=") for part in self.rrule.split(";"))
        unit = _PERIODS.get(rule["FREQ"])
        return None if unit is None else unit * int(rule.get("INTERVAL", 1))

    def _at(self, local: datetime) -> WallTime:
        return replace(self, local=local)


def repeated(local: datetime, zone: str, rrule: str) -> WallTime:
    """Returns the time of a recurrence. One with a fixed period ("every hour") is kept in UTC, which has no gaps.

    Args:
        local: First occurrence, local time without a zone.
        zone: IANA name of the time zone.
        rrule: RRULE of the recurrence.
    """
    time = WallTime(local, zone, rrule)
    if time._period is None:
        return time
    return WallTime(time.moment.astimezone(UTC).replace(tzinfo=None), "UTC", rrule)


def period_of(time: WallTime) -> float:
    """Returns the time between two occurrences, or infinity if there is only one, s."""
    later, _ = time.following(time.wall_due)
    return float("inf") if later is None else later.wall_due - time.wall_due
