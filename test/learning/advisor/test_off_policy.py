"""Off-policy estimators: bias, interval coverage and input validation."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.learning.advised_agent import AdvisedAgent
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.advisor.advice_policy import SILENT, AdvicePolicy, RatingModel, explored
from reachy_agent_ros.learning.advisor.choice import TOPICS, AdvisedChoice, Situation
from reachy_agent_ros.learning.advisor.off_policy import (
    LARGEST_WEIGHT,
    doubly_robust,
    evaluated,
    evidence,
    importance,
    learned,
)

SITUATION = Situation(("look_at", "gesture"), (0.5, 0.4), (0.0, 0.2), (0.0,) * TOPICS)
numbers = st.floats(-1.0, 1.0)
chances = st.floats(0.01, 1.0)


def policy(weights: list[float]) -> AdvicePolicy:
    return AdvicePolicy(np.array(weights), {})


@given(
    st.lists(chances, min_size=3, max_size=3),
    st.lists(numbers, min_size=3, max_size=3),
    st.lists(numbers, min_size=4, max_size=4),
    st.lists(numbers, min_size=4, max_size=4),
)
def test_off_policy_estimates_are_unbiased_for_any_reward_model(
    shares: list[float], rated: list[float], wanted: list[float], expected: list[float]
) -> None:
    logging = explored(np.array(shares) / sum(shares), 0.1)  # so that no importance weight is clipped
    target, model = policy(wanted), RatingModel(np.zeros(1 + TOPICS), policy(expected))
    choices = [AdvisedChoice(SITUATION, tool, share) for tool, share in zip(SITUATION.options, logging, strict=True)]
    ratings = np.array(rated)
    truth = float(target.probabilities(SITUATION) @ ratings)
    assert float(logging @ (importance(target, choices) * ratings)) == pytest.approx(truth)
    assert float(logging @ doubly_robust(target, choices, ratings, model)) == pytest.approx(truth)


@given(st.floats(1e-12, 1e-3), numbers)
def test_importance_weights_are_bounded(probability: float, rating: float) -> None:
    choices = [AdvisedChoice(SITUATION, "gesture", probability)] * 3
    target = policy([1.0, 0.0, 0.0, 0.0])
    rows = evidence(target, SILENT, choices, np.full(3, rating), RatingModel(np.zeros(1 + TOPICS), SILENT_MODEL))
    assert np.isfinite(rows).all()
    assert np.abs(rows[:, 1]).max() <= LARGEST_WEIGHT


SILENT_MODEL = policy([0.0] * 4)


@given(st.one_of(st.floats(max_value=0.0), st.floats(min_value=1.0, exclude_min=True), st.just(math.nan)))
def test_rejects_invalid_probability(probability: float) -> None:
    with pytest.raises(AgentError):
        AdvisedChoice(SITUATION, "look_at", probability)


@pytest.mark.parametrize(
    "change",
    [
        {"fits": (0.5,)},
        {"fits": (0.5, math.nan)},
        {"failures": (0.0, math.inf)},
        {"topics": (0.0,)},
        {"tools": ("look_at", "look_at")},
    ],
)
def test_rejects_request_embedding_of_wrong_shape(change: dict[str, Any]) -> None:
    with pytest.raises(AgentError):
        replace(SITUATION, **change)


def test_rejects_advised_tool_that_is_not_an_option() -> None:
    with pytest.raises(AgentError, match="not among the options"):
        AdvisedChoice(SITUATION, "dance", 0.5)


@pytest.mark.parametrize("ratings", [[], [0.5, 0.5], [math.nan], [1.5]])
def test_rejects_invalid_ratings(ratings: list[float]) -> None:
    with pytest.raises(AgentError):
        learned([AdvisedChoice(SITUATION, "", 1.0)], np.array(ratings))
    with pytest.raises(AgentError):
        learned([], np.zeros(0))


@given(st.lists(numbers, min_size=4, max_size=4), st.floats(0.0, 1.0))
def test_advice_probabilities_sum_to_one_and_include_exploration(weights: list[float], exploration: float) -> None:
    likely = explored(policy(weights).probabilities(SITUATION), exploration)
    assert likely.sum() == pytest.approx(1.0)
    assert likely.min() >= exploration / 3 - 1e-12


def test_silent_policy_gives_no_advice() -> None:
    assert SILENT.probabilities(SITUATION).tolist() == [1.0, 0.0, 0.0]
    nothing = replace(SITUATION, tools=(), fits=(), failures=())
    assert policy([1.0] * 4).probabilities(nothing).tolist() == [1.0]


def test_advice_policy_is_unchanged_by_conversion_to_arrays() -> None:
    taught, _ = learned(*AdvisedAgent(1).logged(60, SILENT, 0.5))
    again = AdvicePolicy.from_arrays(taught.arrays())
    assert AdvicePolicy.from_arrays(SILENT.arrays()) is SILENT
    assert again.probabilities(SITUATION).tolist() == taught.probabilities(SITUATION).tolist()
    with pytest.raises(AgentError):
        AdvicePolicy.from_arrays({**taught.arrays(), "shared": np.zeros(7)})


@pytest.mark.nightly
def test_confidence_intervals_contain_true_value() -> None:
    world = AdvisedAgent(5)
    target, model = learned(*world.logged(600, SILENT, 0.5))
    (truth,) = world.value([target], 5000)

    def held(seed: int) -> tuple[bool, bool]:
        choices, ratings = world.logged(400, SILENT, 0.5)
        found = evaluated(evidence(target, SILENT, choices, ratings, model), np.random.default_rng(seed))
        robust, snips = found.doubly_robust, found.snips
        return robust.low <= truth <= robust.high, snips.low <= truth <= snips.high

    shares: Vector = np.mean([held(seed) for seed in range(30)], axis=0)
    assert shares.min() >= 0.8
