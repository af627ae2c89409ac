"""Scripted experts for the tasks, for imitation learning and as a baseline."""

from __future__ import annotations

import numpy as np

from reachy_agent_ros.learning.environments.contextual_tasks import ContextualTask, JointTask
from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.environments.tracking_task import TrackingTask

_BACK = 0.3
"""Integral gain: share of the error that is added to a set point in each step."""

_PATIENCE = 0.1
"""Feed-forward gain in tasks with an external push, where the integral part corrects the remaining error."""

_BY_WORDS = 0.15
"""Share of the maximum speed at which the expert follows spoken corrections."""

_NEAR = 0.3
"""Error below which the expert follows spoken corrections, rad: greater than any camera bias."""


class TrackingExpert:
    """Expert for tracking tasks, which anticipates the reference trajectory.

    It is a feed-forward controller with integral action. In tasks whose observations are biased, it uses feed-forward
    alone while the error is large, and then follows only the spoken corrections.

    Args:
        task: The task.
    """

    def __init__(self, task: TrackingTask) -> None:
        self._biased = task.biased
        self._forward = _PATIENCE if task.pushed else 1.0
        self._count = len(task.channels)
        self._strides = np.array([channel.stride for channel in task.channels])

    def action(self, observation: Entries) -> Entries:
        """Returns the action for an observation."""
        _, _, error, lead, *words = np.split(np.asarray(observation, dtype=np.float64), 5 if self._biased else 4)
        change = (self._forward * lead + _BACK * error) / self._strides
        if self._biased:
            change = np.where(np.abs(error) < _NEAR, _BY_WORDS * words[0], lead / self._strides)
        return np.asarray(np.clip(change, -1.0, 1.0), dtype=np.float32)


class ContextualExpert:
    """Expert for contextual tasks: always makes the best decision.

    Args:
        task: The task.
    """

    def __init__(self, task: ContextualTask) -> None:
        self._task = task

    def action(self, observation: Entries) -> Entries:
        """Returns the best action for an observation."""
        return np.array(self._task.best(observation.tolist()), dtype=np.float32)


class JointExpert:
    """Expert for joint tasks, which combines the experts for the tracking task and for the decision.

    Args:
        task: The task.
    """

    def __init__(self, task: JointTask) -> None:
        self._entries = len(task.tracking.specification.observation)
        self._body, self._decision = TrackingExpert(task.tracking), ContextualExpert(task.contextual)

    def action(self, observation: Entries) -> Entries:
        """Returns the concatenated actions of both experts."""
        body, context = np.split(observation, [self._entries])
        return np.concatenate([self._body.action(body), self._decision.action(context)])
