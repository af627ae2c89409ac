import numpy as np
import pytest
import torch

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.learning.training.policy_network import PolicyNetwork, Shape
from reachy_agent_ros.learning.training.preference import Fragment, PreferenceModel, PreferencePair, fragment

SHAPE = Shape(2, 1)


def episode(length: int, seed: int = 0) -> Fragment:
    generator = np.random.default_rng(seed)
    observations = generator.normal(size=(length, 2)).astype(np.float32)
    return Fragment(observations, generator.uniform(-1, 1, (length, 1)).astype(np.float32))


def test_rejects_trajectory_fragment_longer_than_shortest_episode() -> None:
    with pytest.raises(AgentError, match="Invalid length 5: expected 1 to 4 steps"):
        fragment([episode(9), episode(4)], 5, np.random.default_rng(0))


def test_rejects_trajectory_fragments_of_unequal_length() -> None:
    with pytest.raises(AgentError, match="same length"):
        PreferencePair(episode(3), episode(4), 1.0)


@pytest.mark.slow
def test_reward_model_learns_preferences_from_comparisons() -> None:
    torch.manual_seed(0)
    generator = np.random.default_rng(1)
    episodes = [episode(12, seed) for seed in range(20)]
    compared = []
    for _ in range(60):
        first, second = (fragment(episodes, 5, generator) for _ in range(2))
        compared.append(PreferencePair(first, second, float(first.actions.sum() > second.actions.sum())))
    model = PreferenceModel(PolicyNetwork(SHAPE))
    assert model.fit(compared, 200) >= 0.9
    zero = np.zeros(2, np.float32)
    assert model.judge(zero, np.array([0.8], np.float32)) > model.judge(zero, np.array([-0.8], np.float32))
