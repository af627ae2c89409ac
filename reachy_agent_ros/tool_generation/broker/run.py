"""State of one run of a tool as the verbs see it: quotas, equipment, commands and violations."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.motion.request import LONGEST
from reachy_agent_ros.tool_generation.broker.fetcher import Fetcher
from reachy_agent_ros.tool_generation.job import LONGEST_TIME
from reachy_agent_ros.tools.body import Motion
from reachy_agent_ros.tools.context import Body, ToolContext

STREAM_RATE = 100.0
"""Targets a second: the motion loop's own rate, more can change nothing."""

STREAM_BURST = 10.0
"""Targets at once: those of a tenth of a second, which a garbage collection delays. The bridge takes twelve."""

LONGEST_MOTION = LONGEST
"""s that a motion takes; the bridge's own limit."""

LONGEST_SPEECH = 500
"""Characters said in one call: half a minute, after which a listener wants to say something too."""

SAYS = 20
"""Calls of `say`: with them ten minutes of speech, longer than any run."""

PHOTOS = 60
"""Photos kept: a photo a second for a minute. They stay on the disk, about 100 kB each."""

FRAMES = 1000
"""Pictures handed to the tool and forgotten: three a second for as long as a run may take."""

LOOKS = 300
"""Detections: one a second for as long as a run may take; each keeps the detector busy."""

QUESTIONS = 60
"""Questions about a scene: each may cost a vision model several seconds."""

LONGEST_QUESTION = 2000
"""Characters of a question, as for the tool `analyze_scene`."""

LONGEST_ANSWER = 4000
"""Characters of an answer about a scene: a vision model that rambles is cut."""

MOST_THINGS = 100
"""Things of one picture; more are noise."""

FETCHES = 60
"""Pages fetched: one every five seconds for as long as a run may take, which no server minds."""

CALLS = 100_000
"""Calls of any verb: a thousand a second for a hundred seconds. More is flooding."""

REFUSALS = 100
"""Refused calls after which the run ends."""

_REFUSED = "refused calls"


class VirtualTime(Protocol):
    """Time of a dry run, which passes only by `wait`; the body of a dry run implements it."""

    @property
    def now(self) -> float:
        """Seconds since its beginning."""
        ...

    def wait(self, seconds: float) -> None:
        """Lets time pass; the robot continues its motion."""
        ...


@dataclass(frozen=True)
class Equipment:
    """What a run reaches beyond the robot's body.

    Attributes:
        photos: Folder of photos.
        scratch: Folder of the photos of a dry run; the tool gets the paths that they would have in `photos`.
        web: Fetches pages; the default one allows no host.
        time: Time of a dry run, in which a clamped command is a violation too; None for real time.
        time_limit: s that a dry run may take of that time; the sandbox limits real time.
    """

    photos: Path
    web: Fetcher = field(default_factory=Fetcher)
    time: VirtualTime | None = None
    time_limit: float = LONGEST_TIME
    scratch: Path | None = None


@dataclass(frozen=True)
class Violation:
    """A call that was refused, or in a dry run clamped.

    Attributes:
        verb: Its verb.
        message: Why, so that a model can repair the tool.
    """

    verb: str
    message: str


@dataclass
class RunRecord:
    """What one run asked of the robot, as the host saw it.

    Attributes:
        commands: Motions that went to the robot.
        violations: Calls that were refused or clamped.
    """

    commands: list[Motion] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)


@dataclass
class Run:
    """What the verbs of one run share.

    Attributes:
        held: The robot; None for a tool that needs neither body, eyes nor voice.
        context: Context of every call of the body.
        equipment: What the run reaches beyond the body.
        record: Commands and violations so far.
        verb: Verb that is being answered.
        ended: Why the broker ended the run, None if it did not.
    """

    held: Body | None
    context: ToolContext
    equipment: Equipment
    record: RunRecord = field(default_factory=RunRecord)
    verb: str = ""
    ended: AgentError | None = None
    _spent: Counter[str] = field(default_factory=Counter)
    _began: float = 0.0

    def __post_init__(self) -> None:
        """Starts the run's clock."""
        self._began = self._clock()

    @property
    def body(self) -> Body:
        """The robot, for a verb that needs one of its capabilities."""
        if self.held is None:
            raise AgentError(ErrorCode.NOT_REVIEWED, f"{self.verb} reached for a robot that the tool does not have.")
        return self.held

    @property
    def elapsed(self) -> float:
        """Seconds since the run began, in virtual time for a dry run."""
        return self._clock() - self._began

    @property
    def rehearsal(self) -> bool:
        """Whether it is a dry run."""
        return self.equipment.time is not None

    def spend(self, what: str, most: int) -> None:
        """Counts one use of a quota.

        Raises:
            AgentError: `BUDGET_EXCEEDED`: the quota is used up.
        """
        self._spent[what] += 1
        if self._spent[what] > most:
            raise self.refused(ErrorCode.BUDGET_EXCEEDED, f"one run may have {most} {what}, and had them")

    def refused(self, code: ErrorCode, message: str) -> AgentError:
        """Notes a violation and returns the error for the tool. Too many of them end the run."""
        self.note(message)
        self._spent[_REFUSED] += 1
        if self._spent[_REFUSED] >= REFUSALS:
            self.end(ErrorCode.RATE_EXCEEDED, f"{REFUSALS} calls of the tool were refused, the last one: {message}")
        return AgentError(code, message)

    def note(self, message: str) -> None:
        """Notes a violation, up to the limit of refused calls."""
        if len(self.record.violations) < REFUSALS:
            self.record.violations.append(Violation(self.verb, message))

    def end(self, code: ErrorCode, message: str) -> AgentError:
        """Ends the run, even if the tool catches the error, which is returned."""
        self.ended = self.ended or AgentError(code, message)
        self.context.cancel.cancel()
        return self.ended

    def require_time(self) -> None:
        """Ends a dry run that took longer than its limit; the sandbox limits a real run.

        Raises:
            AgentError: `TIMEOUT`.
        """
        if self.rehearsal and self.elapsed > self.equipment.time_limit:
            raise self.out_of_time()

    def out_of_time(self) -> AgentError:
        """Ends a dry run that takes too long."""
        limit = self.equipment.time_limit
        return self.end(
            ErrorCode.TIMEOUT,
            f"the tool takes longer than its {limit:g} s: do less, or set TIME_LIMIT_S, which may be {LONGEST_TIME:g}",
        )

    def _clock(self) -> float:
        return time.monotonic() if self.equipment.time is None else self.equipment.time.now
