"""Configuration of a training run, with algorithm, task, seed and device."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

import torch

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.environments.specification import MOST_EPISODES, require_seed
from reachy_agent_ros.learning.training.demonstrations import task_length
from reachy_agent_ros.learning.training.wrappers import RewardWeights

_AUTOMATIC = "auto"


class Algorithm(StrEnum):
    """Learning algorithm of a training run."""

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
    """Configuration of one training run. Equal configurations yield equal results on the same machine.

    Attributes:
        task: A key of `TASKS`.
        algorithm: Learning algorithm. With demonstrations, PPO starts as a clone of them and stays close to them.
        seed: Random seed, 0 to 999.
        episodes: Number of episodes; for cloning, the number of passes over the demonstrations.
        demonstrations: Number of demonstrations by the expert, at most 1000, unless demonstrations are passed to
            `train`.
        kinematic: Whether to simulate kinematics instead of physics.
        device: Device, as for the function `device`.
        reward: Weights of the parts of the reward.
        judge_every: Number of episodes between validations. A checkpoint is written after each validation except the
            initial one.
        judged: Number of episodes in a validation, at most 1000; they are never used for training.

    Raises:
        AgentError: `NOT_FOUND` for an unknown task, `POLICY_REJECTED` for a held-out task; `INVALID_GOAL` for numbers
            out of range; `NO_DATA` if the algorithm requires demonstrations and there are none.
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
        require_seed(self.seed)
        if min(self.episodes, self.judge_every, self.judged) < 1 or self.demonstrations < 0:
            message = "Invalid configuration: demonstrations must be at least 0, other numbers at least 1."
            raise AgentError(ErrorCode.INVALID_GOAL, message)
        if max(self.judged, self.demonstrations) > MOST_EPISODES:
            message = f"Invalid configuration: at most {MOST_EPISODES} demonstrations and validation episodes."
            raise AgentError(ErrorCode.INVALID_GOAL, message)
        if self.demonstrations == 0 and self.algorithm in NEEDS_DEMONSTRATIONS:
            raise AgentError(ErrorCode.NO_DATA, f"{self.algorithm} requires demonstrations.")

    def facts(self) -> dict[str, Any]:
        """Returns the settings that must be the same in a run and in the checkpoint from which it resumes."""
        found = asdict(self)
        for free in ("episodes", "device"):
            del found[free]
        return found


def device(wanted: str = _AUTOMATIC, played: bool = False) -> str:
    """Selects the device for training. Returns the name of the device in PyTorch.

    Args:
        wanted: "auto" for a GPU if there is one and it helps, "cpu", "cuda" or, for example, "cuda:1".
        played: Whether the algorithm spends most of its time playing episodes, one small matrix at a time. In that
            case, "auto" selects the CPU, as stable-baselines3 recommends for PPO. Other algorithms spend most of their
            time on gradients.

    Raises:
        AgentError: `INVALID_GOAL` for a device that does not exist.
    """
    if wanted == _AUTOMATIC:
        return "cuda" if torch.cuda.is_available() and not played else "cpu"
    there = ["cpu", "cuda", *(f"cuda:{index}" for index in range(torch.cuda.device_count()))]
    if wanted not in there or (wanted != "cpu" and not torch.cuda.is_available()):
        usable = ", ".join(there) if torch.cuda.is_available() else "cpu"
        raise AgentError(ErrorCode.INVALID_GOAL, f"Device {wanted!r:.40} not found: expected {usable}.")
    return wanted
