"""Specification of a task: channels, parameters, episodes, and meaning of observations and actions.

Episodes for different purposes use distant ranges of seeds, so that no policy is tested on its training episodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.robot.pose_limits import SPEED
from reachy_agent_ros.simulation.dynamics import PERIOD

SHOWN = 1_000_000
"""First seed of expert demonstrations."""

JUDGED = 2_000_000
"""First seed of the episodes that validate a run during training."""

TESTED = 3_000_000
"""First seed of the episodes that test finished policies, never used for training or validation."""

Values = Mapping[str, float]
"""Parameters of an episode by name."""


class PostureChannel(IntEnum):
    """Coordinate of the posture by its index in `coordinates.NAMES`.

    `YAW` is an exception: as in a `BodyPose`, it is the yaw of the head in the room, not relative to the body.
    """

    Z = 2
    ROLL = 3
    PITCH = 4
    YAW = 5
    BODY_YAW = 6
    ANTENNA_RIGHT = 7
    ANTENNA_LEFT = 8

    @property
    def label(self) -> str:
        """Name in layouts."""
        return self.name.lower()

    @property
    def unit(self) -> str:
        """SI symbol."""
        return "m" if self is PostureChannel.Z else "rad"

    @property
    def weight(self) -> float:
        """Weight of an error, rad per unit: 10 mm of height count as 0.1 rad."""
        return 10.0 if self is PostureChannel.Z else 1.0

    @property
    def stride(self) -> float:
        """Change of the set point in one step for an action of 1: the greatest speed of the envelope."""
        return float(SPEED[self]) * PERIOD


class Split(StrEnum):
    """Ranges of the parameters that episodes are drawn from."""

    TRAINING = "training"
    TEST = "test"


@dataclass(frozen=True)
class RandomParameter:
    """Parameter drawn for every episode.

    Attributes:
        name: Name for `make`.
        unit: SI symbol; "1" for a dimensionless number.
        training: Least and greatest value in training.
        test: Least and greatest value in tests; the two ranges share at most an end.
    """

    name: str
    unit: str
    training: tuple[float, float]
    test: tuple[float, float]

    @property
    def bounds(self) -> tuple[float, float]:
        """Least and greatest value of both ranges."""
        return min(self.training[0], self.test[0]), max(self.training[1], self.test[1])

    def draw(self, split: Split, generator: np.random.Generator) -> float:
        """Draws a value uniformly from the range of a split."""
        return generator.uniform(*(self.test if split == Split.TEST else self.training))


class TaskPolicy(Protocol):
    """Policy that acts in a task: scripted, learned, or a person."""

    def action(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """Action for an observation, entries -1..1."""
        ...


class Quantity(NamedTuple):
    """Entry of an observation or action; `unit` as in `RandomParameter`."""

    name: str
    unit: str


@dataclass(frozen=True)
class TaskSpecification:
    """Description of one task.

    Attributes:
        name: Name for `make`.
        description: Task of the robot, one sentence.
        parameters: Parameters that vary between episodes.
        length: Number of steps of an episode.
        observation: Entries of an observation, in order.
        action: Entries of an action, in order, -1..1 each.
        success: Criterion of success.
        cost: Meaning of `info["cost"]`.
        source: Origin of the task.
        novel: Whether the task is held out and must not be used for training.
    """

    name: str
    description: str
    parameters: tuple[RandomParameter, ...]
    length: int
    observation: tuple[Quantity, ...]
    action: tuple[Quantity, ...]
    success: str
    cost: str
    source: str
    novel: bool = False
