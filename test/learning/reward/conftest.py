"""The real reward model, once for each module."""

import pytest

from reachy_agent_ros.learning.reward.reward_model import RewardModel
from reachy_agent_ros.mind.embedding import SentenceEmbedder


@pytest.fixture(scope="module")
def model() -> RewardModel:
    return RewardModel(SentenceEmbedder())
