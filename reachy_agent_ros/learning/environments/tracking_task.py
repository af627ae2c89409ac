"""Tracking tasks, in which channels of the body follow a reference trajectory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from reachy_agent_ros.learning.environments.randomization import Randomization
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
"""Preview of the reference trajectory, periods: about the lag of the head behind a command."""

BLOCKS = ("measured", "set_point", "error", "lead")
"""Blocks of an observation, with one entry for each channel: sensed position; set point; current reference minus sensed
position; and reference `LEAD` periods ahead minus set point."""

_COST = "1 for a step whose action is outside -1..1, or leads out of the envelope or out of reach of the arms"

_WORTH_A_WORD = 0.02
"""Smallest error about one axis on which the simulated person comments, rad."""


class ReferenceTrajectory(NamedTuple):
    """Reference trajectory of one episode, given by functions of the time (s) since the start of the episode.

    Attributes:
        at: Function that returns the value of each channel, m or rad.
        judged: Function that returns whether the error at that time counts.
        push: Function that returns the external torque on the head about the room's y and z axes, N m.
    """

    at: Callable[[float], tuple[float, ...]]
    judged: Callable[[float], bool]
    push: Callable[[float], tuple[float, float]] = lambda time: (0.0, 0.0)


def after(start: float) -> Callable[[float], bool]:
    """Returns a function of the time (s) that is true from `start` on."""
    return lambda time: time >= start - 1e-6


@dataclass(frozen=True)
class TrackingTask:
    """Task of following a reference trajectory.

    Attributes:
        name: Name for `make`.
        description: Description of the robot's task in one sentence.
        parameters: Parameters that vary between episodes.
        channels: Controlled channels, in the order used by every block.
        course: Function that creates the reference trajectory of an episode from its parameters and its duration, s.
        length: Number of steps of an episode.
        tolerance: Maximum root mean square error of a successful episode, rad.
        source: Origin of the task.
        free: Channels whose error does not count.
        novel: Whether the task is held out and must not be used for training.
        randomization: Default randomization of the robot.
        biased: Whether the observed reference is shifted by the parameters `bias_pitch` and `bias_yaw` (rad).
        pushed: Whether an external torque acts on the head.
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
    randomization: Randomization = field(default_factory=Randomization)
    biased: bool = False
    pushed: bool = False

    @property
    def specification(self) -> TaskSpecification:
        """Specification of the task."""
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
            f"root mean square error at most {self.tolerance:g} rad while the error counts",
            _COST,
            self.source,
            self.novel,
        )

    @property
    def duration(self) -> float:
        """Duration of an episode (s)."""
        return self.length * PERIOD


class Outlook:
    """Reference trajectory of one episode, sampled in each period. All lists have `length + LEAD + 1` entries.

    Args:
        task: The task.
        parameters: Parameters of the episode.

    Attributes:
        course: Reference values of the channels in each period.
        seen: Reference values as the robot observes them.
        judged: Whether the error counts in each period.
        pushes: External torque on the head about pitch and yaw in each period, N m.
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
        """Returns the comments of a simulated person on pitch and yaw.

        1 stands for "more", -1 for "less" and 0 for "good".

        The result is empty in tasks without a biased view.
        """
        if not self._biased:
            return ()
        pitch, yaw = self.course[step]
        return _word(pitch - measured[PostureChannel.PITCH]), _word(yaw - measured[PostureChannel.YAW])


def _word(error: float) -> float:
    return 0.0 if abs(error) < _WORTH_A_WORD else 1.0 if error > 0.0 else -1.0
