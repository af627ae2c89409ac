from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from reachy_agent_ros.learning.correction.coach import Belief
from reachy_agent_ros.learning.correction.policy import WINDOW, Guard

FEATURES = 3

HERE = np.array([1.0, 0.2, -0.1])


def belief(value: float) -> Belief:
    untaught = Belief.untaught(2, FEATURES)
    return Belief(untaught.particles / 10.0 + value, untaught.log_weights)


def rated(guard: Guard, ratings: Iterable[float], now: Belief) -> tuple[Guard, Belief, bool]:
    back = False
    for rating in ratings:
        guard, now, back = guard.after(rating, now)
    return guard, now, back


def test_falling_ratings_restore_best_belief_with_wider_spread() -> None:
    good, bad = belief(1.0), belief(9.0)
    guard, _, _ = rated(Guard(), [0.8, 0.7, 0.9] * (WINDOW // 3), good)
    guard, now, back = rated(guard, [-0.4, -0.3, -0.5] * (WINDOW // 3), bad)
    assert back
    assert now.particles.mean() == pytest.approx(1.0)
    assert (now.deviation(HERE) > good.deviation(HERE)).all()


def test_few_bad_ratings_do_not_restore_earlier_belief() -> None:
    guard, now, _ = rated(Guard(), [0.8, -0.3, 0.9] * (WINDOW // 3), belief(1.0))
    guard, now, back = rated(guard, [0.8, -0.4, 0.7] * (WINDOW // 3), belief(2.0))
    assert not back
    assert now.particles.mean() == pytest.approx(2.0)


def test_better_ratings_become_new_baseline() -> None:
    guard, _, _ = rated(Guard(), [0.1, 0.2, 0.0] * (WINDOW // 3), belief(1.0))
    guard, _, _ = rated(guard, [0.8, 0.9, 0.7] * (WINDOW // 3), belief(2.0))
    _, now, back = rated(guard, [0.1, 0.2, 0.0] * (WINDOW // 3), belief(3.0))
    assert back
    assert now.particles.mean() == pytest.approx(2.0)
