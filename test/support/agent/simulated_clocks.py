"""Clocks of the schedule in simulated time."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from reachy_agent_ros.agent.schedule.clocks import Clocks


@dataclass
class SimulatedClocks:
    """Wall clock and boot clock that a test advances.

    Attributes:
        wall: Wall clock, s since the epoch.
        boot: Boot clock, s.
        boots: Number of the current boot.
        zone: IANA name of the local time zone.
    """

    wall: float
    boot: float = 100.0
    boots: int = 1
    zone: str = "Europe/Berlin"

    @classmethod
    def at(cls, local: str, zone: str = "Europe/Berlin") -> "SimulatedClocks":
        """Creates clocks that show a local time such as "2026-11-30 12:00"."""
        return cls(datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone)).timestamp(), zone=zone)

    def clocks(self) -> Clocks:
        """Returns the clocks for a schedule."""
        return Clocks(lambda: self.wall, lambda: self.boot, lambda: f"boot {self.boots}", lambda: self.zone)

    def advance(self, seconds: float) -> None:
        """Lets time pass, s."""
        self.wall += seconds
        self.boot += seconds

    def advance_to(self, local: str) -> None:
        """Lets time pass until a local time."""
        self.advance(SimulatedClocks.at(local, self.zone).wall - self.wall)

    def reboot(self, seconds_off: float) -> None:
        """Restarts the machine, which is off for a time, s."""
        self.wall += seconds_off
        self.boot = 10.0
        self.boots += 1
