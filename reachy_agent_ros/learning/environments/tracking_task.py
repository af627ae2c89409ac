"""Tasks of following: some channels of the body shall be, time by time, where a course has them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from reachy_agent_ros.learning.environments.channel import PERIOD, Channel
from reachy_agent_ros.learning.environments.course import Course, Values
from reachy_agent_ros.learning.environments.parameter import Parameter
from reachy_agent_ros.learning.environments.specification import Quantity, TaskSpecification
from reachy_agent_ros.learning.environments.variation import Randomisation
from reachy_agent_ros.robot.envelope import SPEED

LEAD = 2
"""Periods that a policy sees ahead: about as long as the head lags behind a command."""

BLOCKS = ("measured", "set_point", "error", "lead")
"""What an observation has of every channel, block by block: where it is sensed to be; where it was sent; how far the
first is from where the course has it now; and how far the second is from where it will have it in `LEAD` periods."""

COST = "1 for a step whose action is beyond -1..1, or leads out of the envelope or of the arms' reach"


@dataclass(frozen=True)
class TrackingTask:
    """One such task.

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
    parameters: tuple[Parameter, ...]
    channels: tuple[Channel, ...]
    course: Callable[[Values, float], Course]
    length: int
    tolerance: float
    source: str
    free: tuple[Channel, ...] = ()
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
            COST,
            self.source,
            self.novel,
        )

    @property
    def duration(self) -> float:
        """Length of an episode, s."""
        return self.length * PERIOD
