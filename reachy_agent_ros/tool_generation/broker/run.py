"""State of a run of a tool: quotas, resources, commands and violations."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.motion.request import LONGEST
from reachy_agent_ros.tool_generation.broker.fetcher import Fetcher
from reachy_agent_ros.tool_generation.job import LONGEST_TIME
from reachy_agent_ros.tools.body import Motion
from reachy_agent_ros.tools.context import Body, ToolContext

STREAM_RATE = 100.0
"""Maximum number of targets per second: the rate of the motion loop. More would have no effect."""

STREAM_BURST = 10.0
"""Maximum number of targets at once: those of a 0.1 s garbage collection pause. The bridge accepts twelve."""

LONGEST_MOTION = LONGEST
"""Maximum duration of a motion, s: the limit of the bridge."""

LONGEST_SPEECH = 500
"""Maximum number of characters in a call of `say`: half a minute of speech."""

SAYS = 20
"""Maximum number of calls of `say`: ten minutes of speech, longer than any run."""

PHOTOS = 60
"""Maximum number of saved photos: one per second for a minute. They remain on disk, about 100 kB each."""

FRAMES = 1000
"""Maximum number of pictures that are not saved: three per second for the longest run."""

LOOKS = 300
"""Maximum number of detections: one per second for the longest run; each one keeps the detector busy."""

QUESTIONS = 60
"""Maximum number of questions about a scene: each may take a vision model several seconds."""

LONGEST_QUESTION = 2000
"""Maximum number of characters in a question, as for the tool `analyze_scene`."""

LONGEST_ANSWER = 4000
"""Maximum number of characters in an answer about a scene. Longer answers are cut."""

MOST_THINGS = 100
"""Maximum number of objects per picture. More are noise."""

FETCHES = 60
"""Maximum number of fetched pages: one every five seconds for the longest run, an acceptable load for any server."""

CALLS = 100_000
"""Maximum number of requests of any kind: a thousand per second for a hundred seconds. More is a flood."""

REFUSALS = 100
"""Number of rejected requests after which the run ends."""

_REFUSED = "refused calls"


class VirtualTime(Protocol):
    """Virtual time of a dry run. It advances only when `wait` is called.

    The simulated body of a dry run implements this protocol.
    """

    @property
    def now(self) -> float:
        """Returns the time since the start in seconds."""
        ...

    def wait(self, seconds: float) -> None:
        """Advances the time. The robot continues its motion."""
        ...


@dataclass(frozen=True)
class Equipment:
    """Resources of a run, other than the robot's body.

    Attributes:
        photos: Folder for photos.
        scratch: Folder for photos of a dry run. The tool receives the paths that they would have in `photos`.
        web: Fetcher of web pages. The default allows no host.
        time: Virtual time of a dry run, in which a clamped command counts as a violation; None for real time.
        time_limit: Limit of a dry run in virtual time, s; in a live run, only of each sleep. The sandbox limits real
            time.
    """

    photos: Path
    web: Fetcher = field(default_factory=Fetcher)
    time: VirtualTime | None = None
    time_limit: float = LONGEST_TIME
    scratch: Path | None = None


@dataclass(frozen=True)
class Violation:
    """Request that the broker rejected, or clamped during a dry run.

    Attributes:
        verb: Name of the request.
        message: Reason for the rejection, written so that a model can repair the tool.
    """

    verb: str
    message: str


@dataclass
class RunRecord:
    """Record of the effects that one run has on the robot.

    Attributes:
        commands: Motions that were sent to the robot.
        violations: Requests that were rejected or clamped.
    """

    commands: list[Motion] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)


@dataclass
class Run:
    """State that all requests of one run share.

    Attributes:
        held: Robot, and context of every call to it; None for a tool that needs neither body, eyes nor voice.
        cancel: Token that ends the run.
        equipment: Resources other than the body.
        record: Commands and violations so far.
        verb: Name of the request in progress.
        ended: Reason why the broker ended the run; None if it did not.
    """

    held: ToolContext | None
    cancel: CancelToken
    equipment: Equipment
    record: RunRecord = field(default_factory=RunRecord)
    verb: str = ""
    ended: AgentError | None = None
    _spent: Counter[str] = field(default_factory=Counter)
    _began: float = 0.0

    def __post_init__(self) -> None:
        """Starts the clock of the run."""
        self._began = self._clock()

    @property
    def context(self) -> ToolContext:
        """Context for requests that need the robot. Raises an error if the tool may not use the robot."""
        if self.held is None:
            raise AgentError(
                ErrorCode.NOT_REVIEWED, f"{self.verb} needs a robot, but the tool has no capability for it."
            )
        return self.held

    @property
    def body(self) -> Body:
        """Body of the robot, for requests that need the robot. Raises an error if the tool may not use the robot."""
        return self.context.body

    @property
    def elapsed(self) -> float:
        """Time (s) since the start of the run. This is virtual time in a dry run."""
        return self._clock() - self._began

    @property
    def rehearsal(self) -> bool:
        """Whether this is a dry run."""
        return self.equipment.time is not None

    def spend(self, what: str, most: int) -> None:
        """Counts one use of a resource that has a quota.

        Raises:
            AgentError: `BUDGET_EXCEEDED`: the quota is used up.
        """
        self._spent[what] += 1
        if self._spent[what] > most:
            raise self.refused(ErrorCode.BUDGET_EXCEEDED, f"a run may have at most {most} {what}")

    def refused(self, code: ErrorCode, message: str) -> AgentError:
        """Records a violation and returns the error for the tool. After too many violations, ends the run."""
        self.note(message)
        self._spent[_REFUSED] += 1
        if self._spent[_REFUSED] >= REFUSALS:
            self.end(ErrorCode.RATE_EXCEEDED, f"{REFUSALS} requests of the tool were rejected, the last one: {message}")
        return AgentError(code, message)

    def note(self, message: str) -> None:
        """Records a violation, unless the maximum number of violations has been recorded."""
        if len(self.record.violations) < REFUSALS:
            self.record.violations.append(Violation(self.verb, message))

    def end(self, code: ErrorCode, message: str) -> AgentError:
        """Ends the run and returns the error for the tool. If the tool catches the error, the run still ends."""
        self.ended = self.ended or AgentError(code, message)
        self.cancel.cancel()
        return self.ended

    def require_time(self) -> None:
        """Ends a dry run that has exceeded its time limit. In a live run, the sandbox enforces the limit.

        Raises:
            AgentError: `TIMEOUT`.
        """
        if self.rehearsal and self.elapsed > self.equipment.time_limit:
            raise self.out_of_time()

    def out_of_time(self) -> AgentError:
        """Ends a dry run that takes too long. Returns the error for the tool."""
        limit = self.equipment.time_limit
        return self.end(
            ErrorCode.TIMEOUT,
            f"the tool takes longer than its {limit:g} s: do less, or set TIME_LIMIT_S, which may be {LONGEST_TIME:g}",
        )

    def _clock(self) -> float:
        return time.monotonic() if self.equipment.time is None else self.equipment.time.now
