from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import torch

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.learning.environments.registry import NOVEL_TASKS, expert_for, make
from reachy_agent_ros.learning.environments.specification import PostureChannel
from reachy_agent_ros.learning.environments.tracking_task import BLOCKS
from reachy_agent_ros.learning.evaluation.evaluation import trial
from reachy_agent_ros.learning.training.actor import Actor, ChannelPolicy, channel_rows
from reachy_agent_ros.learning.training.policy_network import PolicyNetwork, Shape


@pytest.mark.parametrize("squashed", [False, True])
def test_it_does_what_the_network_would(squashed: bool) -> None:
    torch.manual_seed(0)
    network = PolicyNetwork(Shape(4, 2, (8, 8)), squashed)
    rows = np.random.default_rng(0).normal(size=(20, 4)).astype(np.float32)
    network.standardise(rows)
    wanted = network(torch.as_tensor(rows)).detach().clamp(-1, 1).numpy()
    actor = network.actor()
    np.testing.assert_allclose([actor.action(row) for row in rows], wanted, atol=1e-5)


@pytest.mark.parametrize(
    "broken", [{"bias1": np.zeros(3)}, {"weight0": np.zeros((8, 5))}, {"scale": np.full(4, np.nan)}]
)
def test_weights_that_do_not_fit_are_refused(broken: dict[str, np.ndarray]) -> None:
    weights = PolicyNetwork(Shape(4, 2, (8, 8))).weights()
    with pytest.raises(AgentError):
        Actor({**weights, **broken})


def test_a_missing_array_is_named() -> None:
    with pytest.raises(AgentError, match="lacks the array 'mean'"):
        Actor({})


def test_an_observation_of_another_size_is_refused() -> None:
    with pytest.raises(AgentError, match="shape \\(4,\\), not \\(3,\\)"):
        PolicyNetwork(Shape(4, 2)).actor().action(np.zeros(3, np.float32))


def test_acting_loads_nothing_that_only_training_needs() -> None:
    program = (
        "import sys\nimport numpy as np\nfrom reachy_agent_ros.learning.training.actor import Actor\n"
        "one = np.ones(1)\n"
        "actor = Actor({'mean': one, 'scale': one, 'weight0': np.ones((1, 1)), 'bias0': one})\n"
        "print(actor.action(one), {'torch', 'gymnasium'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "[1.] set()\n"


LEAD_AND_SOME_ERROR = Actor(
    {"mean": np.zeros(4), "scale": np.ones(4), "weight0": np.array([[0.0, 0.0, 0.3, 1.0]]), "bias0": np.zeros(1)}
)
"""What the scripted expert does with one channel."""


def test_what_is_known_of_one_channel_is_done_with_any() -> None:
    channels = (PostureChannel.Z, PostureChannel.PITCH)
    policy, expert = ChannelPolicy(LEAD_AND_SOME_ERROR, channels), expert_for("curtsey")
    seen = np.random.default_rng(1).normal(0.0, 0.05, len(NOVEL_TASKS["curtsey"].observation)).astype(np.float32)
    np.testing.assert_allclose(policy.action(seen), expert.action(seen), atol=1e-5)
    assert trial(make("curtsey"), policy, 1, NOVEL_TASKS["curtsey"].length).success


def test_a_channels_row_has_its_blocks_in_steps_at_the_greatest_speed() -> None:
    channels = (PostureChannel.PITCH, PostureChannel.YAW)
    seen = np.arange(2.0 * 2 * len(BLOCKS), dtype=np.float32).reshape(2, -1)
    rows = channel_rows(seen, channels)
    np.testing.assert_allclose(rows[1], seen[0, 1::2] / PostureChannel.YAW.stride, rtol=1e-6)
    np.testing.assert_allclose(rows[2], seen[1, ::2] / PostureChannel.PITCH.stride, rtol=1e-6)
