"""What a run did to the world, as the host saw it: the tool has no say in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from reachy_agent_ros.tools.body import Motion


@dataclass(frozen=True)
class Command:
    """One command that went to the robot.

    Attributes:
        motion: What it was to do.
        at: s since the run began, by the run's own clock.
        streamed: Whether it was one of a stream of targets.
    """

    motion: Motion
    at: float
    streamed: bool = False


@dataclass(frozen=True)
class Violation:
    """One call that was refused; in a rehearsal also one that had to be clamped.

    Attributes:
        verb: Which.
        message: Why, so that a model can repair the tool.
        at: s since the run began, by the run's own clock.
    """

    verb: str
    message: str
    at: float


@dataclass
class Record:
    """All that one run did.

    Attributes:
        commands: What went to the robot.
        violations: What was refused or clamped.
        spoken: What was said aloud.
        fetched: Addresses that were asked for, those that were refused too.
        photos: Files that were kept.
    """

    commands: list[Command] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    spoken: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    photos: list[Path] = field(default_factory=list)
