import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.learning.environments.registry import make
from reachy_agent_ros.learning.environments.specification import is_held_out
from reachy_agent_ros.learning.training.wrappers import RewardWeights, SeededEpisodes, WeightedReward


def test_reward_is_weighted_sum_of_components() -> None:
    environment = WeightedReward(make("look_at"), RewardWeights(2.0, 3.0, 5.0), lambda observation, action: 0.5)
    environment.reset(seed=0)
    *_, info = environment.step(np.array([2.0, 0.0], np.float32))
    environment.reset(seed=0)
    _, reward, *_ = environment.step(np.array([2.0, 0.0], np.float32))
    parts = info["reward_parts"]
    assert parts["safety"] == -1.0
    assert reward == pytest.approx(2.0 * parts["task"] + 3.0 * 0.5 + 5.0 * parts["safety"])


def test_training_never_plays_episode_that_is_reserved_for_tests() -> None:
    drawn = int(np.random.SeedSequence((0, 3, 358)).generate_state(1)[0])
    assert is_held_out(drawn)
    episodes = SeededEpisodes(make("look_at"), 0, worker=3)
    episodes.number = 358
    _, training = episodes.reset()
    _, test = make("look_at").reset(seed=drawn)
    assert training["parameters"] != test["parameters"]


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf")])
def test_rejects_reward_weight_that_rewards_unsafe_actions(weight: float) -> None:
    with pytest.raises(AgentError):
        RewardWeights(safety=weight)
