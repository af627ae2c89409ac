"""Policy for tracking tasks that uses one small network for every channel."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.learning.environments.specification import PostureChannel
from reachy_agent_ros.learning.environments.tracking_task import BLOCKS
from reachy_agent_ros.learning.training.actor import Actor


class ChannelPolicy:
    """Policy with one small network for all channels of the body, so that a skill transfers between channels.

    The weights are shared between channels, as a convolution shares them between positions. Spoken corrections are
    ignored.

    Args:
        actor: Network for one channel, whose inputs are the entries of `BLOCKS` in steps at maximum speed.
        channels: Channels of the task.
    """

    def __init__(self, actor: Actor, channels: Sequence[PostureChannel]) -> None:
        self._actor, self._channels = actor, channels

    def action(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """Returns the actions of all channels."""
        rows = channel_rows(observation[np.newaxis], self._channels)
        return np.concatenate([self._actor.action(row) for row in rows])


def channel_rows(observations: NDArray[np.float32], channels: Sequence[PostureChannel]) -> NDArray[np.float32]:
    """Splits observations by channel into one row for each observation and channel.

    Args:
        observations: Observations of a tracking task, one per row.
        channels: Channels of the task.
    """
    count = len(channels)
    strides = np.array([channel.stride for channel in channels])
    blocks = observations[:, : count * len(BLOCKS)].reshape(len(observations), len(BLOCKS), count) / strides
    return np.asarray(blocks.transpose(0, 2, 1).reshape(-1, len(BLOCKS)), dtype=np.float32)
