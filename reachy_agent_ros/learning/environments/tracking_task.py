"""Tracking tasks: some channels of the body shall be, time by time, where a course has them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from reachy_agent_ros.learning.environments.randomisation import Randomisation
from reachy_agent_ros.learning.environments.specification import (
    PostureChannel,
    Quantity,
    RandomParameter,
    TaskSpecification,
    Values,
)
from reachy_agent_ros.robot.pose_limits import SPEED
from reachy_agent_ros.simulation.dynamics import PERIOD

LEAD = 2
"""Periods that a policy sees ahead: about as long as the head lags behind a command."""

BLOCKS = ("measured", "set_point", "error", "lead")
"""What an observation has of every channel, block by block: where it is sensed to be; where it was sent; how far the
first is from where the course has it now; and how far the second is from where it will have it in `LEAD` periods."""

_COST = "1 for a step whose action is beyond -1..1, or leads out of the envelope or of the arms' reach"

_WORTH_A_WORD = 0.02
"""Least error, rad, about one axis that the person beside the robot says something of."""


class ReferenceTrajectory(NamedTuple):
    """What the body is asked to follow in one episode.

    Where the channels of a task should be, time by time; times are in s since the episode began.

    Attributes:
        at: One value for each channel, m or rad.
        judged: Whether an error at that time counts.
        push: Torque on the head about the room's y and z axes, N m: what somebody's hand does.
    """

    at: Callable[[float], tuple[float, ...]]
    judged: Callable[[float], bool]
    push: Callable[[float], tuple[float, float]] = lambda time: (0.0, 0.0)


def after(start: float) -> Callable[[float], bool]:
    """Judges from a time on, s."""
    return lambda time: time >= start - 1e-6


@dataclass(frozen=True)
class TrackingTask:
    """One tracking task.

    Attributes:
        name: As in `make`.
        description: What the robot shall do, one sentence.
        parameters: What differs between episodes.
        channels: What it may move, in the order of every block.
        course: Makes the course of an episode from its parameters and its length, s.
        length: Steps of an episode.
        tolerance: Greatest root mean square of the error, rad, of a success.
        source: Where the task comes from.
        free: Channels that are not judged.
        novel: Whether nothing may be trained on it.
        randomisation: Of the robot, where the task says what it is like.
        biased: Whether the robot sees everything beside where it is, by its `bias_pitch` and `bias_yaw` (rad).
        pushed: Whether a hand leans on the head.
    """

    name: str
    description: str
    parameters: tuple[RandomParameter, ...]
    channels: tuple[PostureChannel, ...]
    course: Callable[[Values, float], ReferenceTrajectory]
    length: int
    tolerance: float
    source: str
    free: tuple[PostureChannel, ...] = ()
    novel: bool = False
    randomisation: Randomisation = field(default_factory=Randomisation)
    biased: bool = False
    pushed: bool = False

    @property
    def specification(self) -> TaskSpecification:
        """What there is to know of it."""
        observation = [Quantity(f"{block}.{each.label}", each.unit) for block in BLOCKS for each in self.channels]
        if self.biased:
            observation += [Quantity(f"word.{each.label}", "1") for each in self.channels]
        return TaskSpecification(
            self.name,
            self.description,
            self.parameters,
            self.length,
            tuple(observation),
            tuple(Quantity(each.label, f"{SPEED[each]:g} {each.unit}/s") for each in self.channels),
            f"root mean square of the error while it is judged at most {self.tolerance:g} rad",
            _COST,
            self.source,
            self.novel,
        )

    @property
    def duration(self) -> float:
        """Length of an episode, s."""
        return self.length * PERIOD


class Outlook:
    """What one episode asks for: its course sampled period by period, as it is and as the robot sees it.

    Args:
        task: What is asked.
        parameters: Of the episode.

    Attributes:
        course: Where the channels should be, one tuple a period.
        seen: Where the robot sees that they should be, likewise, `LEAD` periods further.
        judged: Whether an error counts, period by period.
        pushes: Torque on the head about pitch and yaw, N m, period by period.
    """

    def __init__(self, task: TrackingTask, parameters: Values) -> None:
        course = task.course(parameters, task.duration)
        times = [PERIOD * step for step in range(task.length + LEAD + 1)]
        self.course = [course.at(time) for time in times]
        self.judged = [course.judged(time) for time in times]
        self.pushes = [course.push(time) for time in times]
        self.seen = self.course
        self._biased = task.biased
        if task.biased:
            self.seen = [(pitch + parameters["bias_pitch"], yaw + parameters["bias_yaw"]) for pitch, yaw in self.course]

    def words(self, step: int, measured: list[float]) -> tuple[float, ...]:
        """What a person beside the robot says of its pitch and yaw: 1 for further, -1 for back, 0 for well.

        Nobody says anything where the robot sees for itself.
        """
        if not self._biased:
            return ()
        pitch, yaw = self.course[step]
        return _word(pitch - measured[PostureChannel.PITCH]), _word(yaw - measured[PostureChannel.YAW])


def _word(error: float) -> float:
    return 0.0 if abs(error) < _WORTH_A_WORD else 1.0 if error > 0.0 else -1.0
