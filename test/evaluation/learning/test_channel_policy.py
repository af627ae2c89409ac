from __future__ import annotations

import numpy as np

from evaluation.learning.channel_policy import ChannelPolicy, channel_rows
from reachy_agent_ros.learning.environments.registry import NOVEL_TASKS, expert_for, make
from reachy_agent_ros.learning.environments.specification import PostureChannel
from reachy_agent_ros.learning.environments.tracking_task import BLOCKS
from reachy_agent_ros.learning.evaluation.evaluation import trial
from reachy_agent_ros.learning.training.actor import Actor

LEAD_AND_SOME_ERROR = Actor(
    {"mean": np.zeros(4), "scale": np.ones(4), "weight0": np.array([[0.0, 0.0, 0.3, 1.0]]), "bias0": np.zeros(1)}
)
"""Actor with the same behavior as the scripted expert, for one channel."""


def test_channel_policy_matches_expert_on_unseen_channels() -> None:
    channels = (PostureChannel.Z, PostureChannel.PITCH)
    policy, expert = ChannelPolicy(LEAD_AND_SOME_ERROR, channels), expert_for("curtsey")
    seen = np.random.default_rng(1).normal(0.0, 0.05, len(NOVEL_TASKS["curtsey"].observation)).astype(np.float32)
    np.testing.assert_allclose(policy.action(seen), expert.action(seen), atol=1e-5)
    assert trial(make("curtsey"), policy, 1, NOVEL_TASKS["curtsey"].length).success


def test_channel_rows_are_divided_by_stride_of_channel() -> None:
    channels = (PostureChannel.PITCH, PostureChannel.YAW)
    seen = np.arange(2.0 * 2 * len(BLOCKS), dtype=np.float32).reshape(2, -1)
    rows = channel_rows(seen, channels)
    np.testing.assert_allclose(rows[1], seen[0, 1::2] / PostureChannel.YAW.stride, rtol=1e-6)
    np.testing.assert_allclose(rows[2], seen[1, ::2] / PostureChannel.PITCH.stride, rtol=1e-6)
