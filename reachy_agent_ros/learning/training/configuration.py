"""Configuration of a training run: algorithm, task, seed and device."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

import torch

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.training.demonstrations import task_length
from reachy_agent_ros.learning.training.wrappers import RewardWeights

_AUTOMATIC = "auto"


class Algorithm(StrEnum):
    """How it learns."""

    CLONING = "bc"
    AGGREGATION = "dagger"
    ADVERSARIAL = "gail"
    PREFERENCE = "preference"
    POLICY_GRADIENT = "ppo"
    SOFT_ACTOR_CRITIC = "sac"


NEEDS_DEMONSTRATIONS = frozenset(
    {Algorithm.CLONING, Algorithm.AGGREGATION, Algorithm.ADVERSARIAL, Algorithm.SOFT_ACTOR_CRITIC}
)


@dataclass(frozen=True)
class TrainingConfiguration:
    """One run; the same one on the same machine gives the same curve.

    Attributes:
        task: One of `TASKS`.
        algorithm: How it learns. With demonstrations, PPO begins as their clone and is anchored in them.
        seed: Of everything by chance.
        episodes: To be played; for cloning, which plays none, passes over the demonstrations.
        demonstrations: How many the scripted expert gives; those that are handed over count instead.
        kinematic: Whether arithmetic moves the robot, instead of physics.
        device: As `device` takes it.
        reward: Weights of the parts of the reward.
        judge_every: Episodes between two checkpoints, each with a judgement of the policy.
        judged: Episodes of a judgement; never those that are trained on.

    Raises:
        AgentError: `NOT_FOUND` for an unknown task, `POLICY_REJECTED` for one that is held out; `INVALID_GOAL` for
            numbers that make no sense; `NO_DATA` for an algorithm without the demonstrations that it needs.
    """

    task: str
    algorithm: Algorithm
    seed: int = 0
    episodes: int = 100
    demonstrations: int = 10
    kinematic: bool = True
    device: str = _AUTOMATIC
    reward: RewardWeights = field(default_factory=RewardWeights)
    judge_every: int = 20
    judged: int = 20

    def __post_init__(self) -> None:
        task_length(self.task)
        if self.seed < 0 or self.demonstrations < 0 or min(self.episodes, self.judge_every, self.judged) < 1:
            raise AgentError(ErrorCode.INVALID_GOAL, "Seed and demonstrations are at least 0, the other numbers 1.")
        if self.demonstrations == 0 and self.algorithm in NEEDS_DEMONSTRATIONS:
            raise AgentError(ErrorCode.NO_DATA, f"{self.algorithm} needs demonstrations.")

    def facts(self) -> dict[str, Any]:
        """What a checkpoint must have in common with the run that goes on from it."""
        found = asdict(self)
        for free in ("episodes", "device"):
            del found[free]
        return found


def device(wanted: str = _AUTOMATIC, played: bool = False) -> str:
    """A device as PyTorch names it.

    Args:
        wanted: "auto" for a graphics card where there is one and it helps, "cpu", or as in "cuda" or "cuda:1".
        played: Whether what learns waits for what it plays, one small matrix at a time: "auto" is the processor then,
            as stable-baselines3 advises for PPO. What learns from stored samples waits for its gradient instead.

    Raises:
        AgentError: `INVALID_GOAL` for one that is not there.
    """
    if wanted == _AUTOMATIC:
        return "cuda" if torch.cuda.is_available() and not played else "cpu"
    there = ["cpu", "cuda", *(f"cuda:{index}" for index in range(torch.cuda.device_count()))]
    if wanted not in there or (wanted != "cpu" and not torch.cuda.is_available()):
        usable = ", ".join(there) if torch.cuda.is_available() else "cpu"
        raise AgentError(ErrorCode.INVALID_GOAL, f"There is no device {wanted!r:.40} here, only: {usable}.")
    return wanted
