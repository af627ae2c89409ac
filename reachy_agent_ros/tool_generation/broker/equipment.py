"""What a run reaches beyond the robot's body."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from reachy_agent_ros.tool_generation.broker.fetcher import Fetcher
from reachy_agent_ros.tool_generation.broker.page import Web
from reachy_agent_ros.tool_generation.limits import LONGEST_TIME


class VirtualTime(Protocol):
    """The time of a rehearsal, which passes when it is told to; a body that rehearses implements it."""

    @property
    def now(self) -> float:
        """Seconds since its beginning."""
        ...

    def wait(self, seconds: float) -> None:
        """Lets time pass; the robot goes on with what it does."""
        ...


@dataclass(frozen=True)
class Equipment:
    """What a run reaches beyond the robot's body.

    Attributes:
        photos: Folder where photos are kept.
        scratch: Folder where a rehearsal keeps them instead; the tool is told the paths that they would have.
        web: What fetches pages; without one no host may be asked.
        time: Whose time passes in a rehearsal, where a clamped command is a violation too; None where it is real.
        time_limit: s that a rehearsal may take of that time; the real one is the sandbox's to watch.
    """

    photos: Path
    web: Web = field(default_factory=Fetcher)
    time: VirtualTime | None = None
    time_limit: float = LONGEST_TIME
    scratch: Path | None = None
