"""Fixture with the real reward model, loaded once per test module."""

import pytest

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.learning.reward.reward_model import RewardModel


@pytest.fixture(scope="module")
def model() -> RewardModel:
    return RewardModel(SentenceEmbedder())
