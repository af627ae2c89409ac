"""Scripted experts of the tasks, to be imitated and compared with."""

from __future__ import annotations

import numpy as np

from reachy_agent_ros.learning.environments.contextual_tasks import ContextualTask, JointTask
from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.environments.tracking_task import TrackingTask

_BACK = 0.3
"""Share of the error by which a set point moves in a step."""

_PATIENCE = 0.1
"""Share of the lead by which it follows where a hand may push: the rest is the error's, which the hand makes."""

_BY_WORDS = 0.15
"""Share of the greatest speed at which it goes where a person says."""

_NEAR = 0.3
"""Error, rad, from which on it listens to words: more than any camera is biased."""


class TrackingExpert:
    """Feed-forward and integral control: set points go where the course will be, and on by a share of the error.

    Args:
        task: What it does.
    """

    def __init__(self, task: TrackingTask) -> None:
        self._biased = task.biased
        self._forward = _PATIENCE if task.pushed else 1.0
        self._count = len(task.channels)
        self._strides = np.array([channel.stride for channel in task.channels])

    def action(self, observation: Entries) -> Entries:
        """What it does."""
        _, _, error, lead, *words = np.split(np.asarray(observation, dtype=np.float64), 5 if self._biased else 4)
        change = (self._forward * lead + _BACK * error) / self._strides
        if self._biased:
            change = np.where(np.abs(error) < _NEAR, _BY_WORDS * words[0], lead / self._strides)
        return np.asarray(np.clip(change, -1.0, 1.0), dtype=np.float32)


class ContextualExpert:
    """Knows the best decision.

    Args:
        task: What it decides.
    """

    def __init__(self, task: ContextualTask) -> None:
        self._task = task

    def action(self, observation: Entries) -> Entries:
        """What it decides."""
        return np.array(self._task.best(observation.tolist()), dtype=np.float32)


class JointExpert:
    """The experts of the parts of a joint task.

    Args:
        task: What it does.
    """

    def __init__(self, task: JointTask) -> None:
        self._entries = len(task.tracking.specification.observation)
        self._body, self._decision = TrackingExpert(task.tracking), ContextualExpert(task.contextual)

    def action(self, observation: Entries) -> Entries:
        """What it does and decides."""
        body, context = np.split(observation, [self._entries])
        return np.concatenate([self._body.action(body), self._decision.action(context)])
