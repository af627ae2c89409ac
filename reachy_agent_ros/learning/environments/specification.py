"""Specification of a task: channels, parameters, episodes, and the meaning of observations and actions.

Episodes for different purposes use separate ranges of seeds, so that no policy is tested on its training episodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.robot.pose_limits import SPEED
from reachy_agent_ros.simulation.dynamics import PERIOD

SHOWN = 1_000_000
"""First seed of expert demonstrations."""

JUDGED = 2_000_000
"""First seed of the episodes that validate a policy during training."""

TESTED = 3_000_000
"""First seed of the episodes that test finished policies, never used for training or validation."""

SEEDS = 1000
"""Number of seeds that a training run or a test accepts. Each of them has its own episodes within the ranges above."""

MOST_EPISODES = 1000
"""Maximum number of expert demonstrations of a training run, and of episodes of a validation or a test."""

_STRIDE = 10_000
"""Distance between the first episodes of two tests with successive seeds."""

Values = Mapping[str, float]
"""Parameters of an episode by name."""


class PostureChannel(IntEnum):
    """Coordinate of the posture, identified by its index in `coordinates.NAMES`.

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
        """Name of the channel in observation and action layouts."""
        return self.name.lower()

    @property
    def unit(self) -> str:
        """SI symbol of the unit."""
        return "m" if self is PostureChannel.Z else "rad"

    @property
    def weight(self) -> float:
        """Weight (rad per unit) of an error in this channel. A height error of 10 mm counts as 0.1 rad."""
        return 10.0 if self is PostureChannel.Z else 1.0

    @property
    def stride(self) -> float:
        """Change of the set point in one step for an action of 1, which corresponds to the maximum speed."""
        return float(SPEED[self]) * PERIOD


class Split(StrEnum):
    """Choice between the ranges of parameters for training and the ranges for tests."""

    TRAINING = "training"
    TEST = "test"


@dataclass(frozen=True)
class RandomParameter:
    """Task parameter whose value is drawn for every episode.

    Attributes:
        name: Name for `make`.
        unit: SI symbol; "1" for a dimensionless number.
        training: Lowest and highest value in training.
        test: Lowest and highest value in tests. The two ranges share at most one endpoint.
    """

    name: str
    unit: str
    training: tuple[float, float]
    test: tuple[float, float]

    @property
    def bounds(self) -> tuple[float, float]:
        """Lowest and highest value of both ranges combined."""
        return min(self.training[0], self.test[0]), max(self.training[1], self.test[1])

    def draw(self, split: Split, generator: np.random.Generator) -> float:
        """Draws a value uniformly from the range of a split."""
        return generator.uniform(*(self.test if split == Split.TEST else self.training))


class TaskPolicy(Protocol):
    """Policy that acts in a task: scripted, learned, or controlled by a person."""

    def action(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """Returns the action for an observation. The entries of the action are from -1 to 1."""
        ...


class Quantity(NamedTuple):
    """Name and unit of one entry of an observation or action. See `RandomParameter` for `unit`."""

    name: str
    unit: str


@dataclass(frozen=True)
class TaskSpecification:
    """Specification of one task.

    Attributes:
        name: Name for `make`.
        description: Description of the robot's task in one sentence.
        parameters: Parameters that vary between episodes.
        length: Number of steps of an episode.
        observation: Entries of an observation, in order.
        action: Entries of an action, in order, each -1..1.
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


def is_held_out(seed: int) -> bool:
    """Returns whether the seed of an episode is reserved for validations and tests."""
    return JUDGED <= seed < TESTED + SEEDS * _STRIDE and (seed - JUDGED) % _STRIDE < MOST_EPISODES


def require_seed(seed: int) -> None:
    """Raises `INVALID_GOAL` if a training run or a test does not accept a seed."""
    if not 0 <= seed < SEEDS:
        raise AgentError(ErrorCode.INVALID_GOAL, f"Invalid seed {seed}: expected 0 to {SEEDS - 1}.")


def seeds_of_test(seed: int, episodes: int) -> range:
    """Returns the seeds of the episodes of a test.

    Args:
        seed: Seed of the test.
        episodes: Number of episodes.

    Raises:
        AgentError: `INVALID_GOAL` for numbers out of range.
    """
    require_seed(seed)
    if not 0 <= episodes <= MOST_EPISODES:
        message = f"Invalid number of test episodes {episodes}: expected at most {MOST_EPISODES}."
        raise AgentError(ErrorCode.INVALID_GOAL, message)
    first = TESTED + _STRIDE * seed
    return range(first, first + episodes)
