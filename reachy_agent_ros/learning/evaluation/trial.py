"""One episode of a policy, and what it tells of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.learning.environments.channel import PERIOD
from reachy_agent_ros.learning.environments.conformance import play
from reachy_agent_ros.learning.environments.expert import Expert
from reachy_agent_ros.learning.environments.parameter import Split
from reachy_agent_ros.learning.environments.registry import NOVEL_TASKS, TASKS, Environment
from reachy_agent_ros.learning.environments.specification import TaskSpecification
from reachy_agent_ros.learning.training.demonstrations import Recorder

NEAR = 0.09
"""Error, rad, from which on the robot is said to be where it should: 5.2 degrees."""

_STAY = 5
"""Steps for which it must stay there."""

ALL_TASKS: dict[str, TaskSpecification] = {**TASKS, **NOVEL_TASKS}
"""Those to train on, and those that are held out."""


@dataclass(frozen=True)
class Setting:
    """Where a policy is tried.

    Attributes:
        task: One of `ALL_TASKS`.
        split: Which ranges the episodes are drawn from.
        physics: Whether physics moves the robot, instead of arithmetic.
    """

    task: str
    split: Split
    physics: bool = False


@dataclass(frozen=True)
class Trial:
    """One episode.

    Attributes:
        success: Whether it was one.
        reward: Mean of its steps.
        errors: rad, step by step.
        arrival: s until it was within `NEAR` for a quarter of a second; None where it never was.
        effort: s: integral of the squared actions, which are shares of the greatest speed, as energy grows with it.
        unsafe: Steps whose action led out of the envelope.
    """

    success: bool
    reward: float
    errors: Sequence[float]
    arrival: float | None
    effort: float
    unsafe: int


def trial(environment: Environment, policy: Expert, seed: int, length: int) -> Trial:
    """Plays one episode."""
    recorder = Recorder(policy)
    episode = play(environment, recorder, seed, length)
    errors = tuple(float(info["error"]) for info in episode.infos)
    effort = PERIOD * float(np.square(np.clip(recorder.actions, -1.0, 1.0)).sum())
    unsafe = sum(info["cost"] > 0.0 for info in episode.infos)
    return Trial(episode.success, float(np.mean(episode.rewards)), errors, _arrival(errors), effort, unsafe)


def _arrival(errors: Sequence[float]) -> float | None:
    stayed = 0
    for step, error in enumerate(errors, 1):
        stayed = stayed + 1 if error <= NEAR else 0
        if stayed == _STAY:
            return PERIOD * (step - _STAY + 1)
    return None
