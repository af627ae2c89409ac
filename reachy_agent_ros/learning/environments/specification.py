"""Specification of a task: what of the body it may move, its parameters, its episodes, and what its entries mean.

Seeds of episodes that are for one purpose only begin far from each other, so that nothing is tested on what it was
taught.
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
"""First seed of the episodes that an expert shows."""

JUDGED = 2_000_000
"""First seed of the episodes by which a run is judged while it learns."""

TESTED = 3_000_000
"""First seed of the episodes that finished policies are measured in: nothing is trained on them, and no run is judged
by them."""

Values = Mapping[str, float]
"""Parameters of an episode by name."""


class PostureChannel(IntEnum):
    """One number of the posture, at its place among `coordinates.NAMES`.

    `YAW` is the exception: as in a `BodyPose`, it is the head's in the room, not from the body.
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
        """What it is called in layouts."""
        return self.name.lower()

    @property
    def unit(self) -> str:
        """SI symbol."""
        return "m" if self is PostureChannel.Z else "rad"

    @property
    def weight(self) -> float:
        """Radians that an error of one unit counts as: 10 mm of height as much as a tenth of a radian."""
        return 10.0 if self is PostureChannel.Z else 1.0

    @property
    def stride(self) -> float:
        """How far its set point moves in one step by an action of 1: as fast as the envelope allows."""
        return float(SPEED[self]) * PERIOD


class Split(StrEnum):
    """Which of the two ranges of every parameter episodes are drawn from."""

    TRAINING = "training"
    TEST = "test"


@dataclass(frozen=True)
class RandomParameter:
    """A number that is drawn anew for every episode.

    Attributes:
        name: As in `make`.
        unit: SI symbol; "1" for a plain number.
        training: Least and greatest value in training.
        test: Likewise for what a policy is judged by; the two ranges share no more than an end.
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
        """A value from one of the ranges, all equally likely."""
        return generator.uniform(*(self.test if split == Split.TEST else self.training))


class TaskPolicy(Protocol):
    """What acts in a task: scripted, learned, or a person."""

    def action(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """What it does: every entry of an action, -1..1."""
        ...


class Quantity(NamedTuple):
    """One entry of an observation or an action; `unit` as for `RandomParameter`."""

    name: str
    unit: str


@dataclass(frozen=True)
class TaskSpecification:
    """One task.

    Attributes:
        name: As in `make`.
        description: What the robot shall do, one sentence.
        parameters: What differs between episodes.
        length: Steps of an episode.
        observation: What every entry of an observation is, in their order.
        action: Likewise for an action, whose entries are -1..1.
        success: When an episode was one.
        cost: What `info["cost"]` counts.
        source: Where the task comes from.
        novel: Whether it is held out: nothing may be trained on it.
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
