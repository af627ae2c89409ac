"""Publication of the trainer's current tasks on a latched topic."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from reachy_agent_msgs.msg import TrainingStatus

from reachy_agent_ros.core import names
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED


@dataclass(frozen=True)
class Undertaking:
    """Current task of the trainer.

    Attributes:
        state: Constant of `TrainingStatus`.
        skill: Name of the skill.
        episode: Number of finished episodes.
        episodes: Number of planned episodes.
        mean_reward: Mean reward, -1 to 1.
        detail: One-line status for the user.
    """

    state: int
    skill: str
    episode: int = 0
    episodes: int = 0
    mean_reward: float = 0.0
    detail: str = ""


class TrainingBoard:
    """Publisher of `training_status`. Thread-safe.

    Args:
        node: Node that publishes the status.
        version: Returns the active version of a skill's policy.
    """

    def __init__(self, node: AgentNode, version: Callable[[str], str]) -> None:
        self._node = node
        self._version = version
        self._lock = threading.Lock()
        self._under_way: dict[int, Undertaking] = {}
        self._publisher = node.create_publisher(TrainingStatus, names.TRAINING_STATUS, LATCHED)
        self._show(Undertaking(TrainingStatus.IDLE, ""))

    @property
    def doing(self) -> list[Undertaking]:
        """Current tasks of the trainer."""
        with self._lock:
            return list(self._under_way.values())

    @contextmanager
    def during(self, undertaking: Undertaking) -> Iterator[Callable[[Undertaking], None]]:
        """Publishes a task during a `with` block, and yields a function that updates the task.

        End the goal within the block, because a client that sees an idle status may send the next goal.
        """
        try:
            self._note(undertaking)
            yield self._note
        finally:
            with self._lock:
                self._under_way.pop(undertaking.state)
                idle = Undertaking(TrainingStatus.IDLE, undertaking.skill)
                self._show(next(iter(self._under_way.values()), idle))

    def _note(self, undertaking: Undertaking) -> None:
        with self._lock:
            self._under_way[undertaking.state] = undertaking
            self._show(undertaking)

    def _show(self, one: Undertaking) -> None:
        self._publisher.publish(
            TrainingStatus(
                header=self._node.header(),
                state=one.state,
                skill=one.skill,
                policy_version=self._version(one.skill) if one.skill else "",
                episode=one.episode,
                episodes=one.episodes,
                mean_reward=one.mean_reward,
                detail=one.detail,
            )
        )
