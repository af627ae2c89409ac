from __future__ import annotations

import numpy as np

from reachy_agent_ros.learning.correction.bandit import BEGINNING, RewardRegression, varied

HERE = np.array([1.0, 0.2])
BEST = np.array([0.6])


def rated(count: int) -> RewardRegression:
    rng, rewards = np.random.default_rng(1), RewardRegression.untaught(1, 2)
    for _ in range(count):
        offset = rng.uniform(-1.0, 1.0, 1)
        rating = 1.0 - 2.0 * float((offset - BEST)[0] ** 2) + rng.normal(0.0, 0.3)
        rewards = rewards.after(HERE, offset, rating, 0.9)
    return rewards


def test_bandit_does_not_explore_before_enough_ratings() -> None:
    center = np.array([0.3])
    offset, probability = varied(rated(BEGINNING - 1), HERE, center, np.random.default_rng(0))
    assert offset is center
    assert probability == 1.0


def test_bandit_selects_better_rated_offsets_more_often() -> None:
    rng, rewards = np.random.default_rng(0), rated(300)
    choices = [float(varied(rewards, HERE, np.array([0.2]), rng)[0][0]) for _ in range(50)]
    assert np.mean(np.array(choices) > 0.2) > 0.8


def test_probability_reported_by_bandit_matches_selection_frequency() -> None:
    rng, rewards = np.random.default_rng(0), rated(BEGINNING)
    found = [varied(rewards, HERE, BEST, rng) for _ in range(600)]
    for value in {float(offset[0]) for offset, _ in found}:
        told = [probability for offset, probability in found if offset[0] == value]
        assert abs(len(told) / len(found) - np.mean(told)) < 0.12


def test_bandit_finds_best_offset_from_ratings_alone() -> None:
    candidates = np.linspace(-1.0, 1.0, 21)[:, None]
    mean = rated(300).draws(HERE, candidates, 200, np.random.default_rng(0)).mean(axis=0)
    assert abs(candidates[int(np.argmax(mean))][0] - BEST[0]) < 0.15
