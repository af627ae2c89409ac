from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.correction import coach
from reachy_agent_ros.learning.correction.coach import Belief
from reachy_agent_ros.learning.score import Score, Sign

HERE = np.array([1.0, 0.3, -0.5])
UP = np.array([1.0, 0.0])
NOTHING_DONE = np.zeros(2)

scores = st.builds(Score, st.sampled_from(Sign), st.floats(-1.0, 1.0), st.floats(0.0, 1.0), st.just(()), st.booleans())
directions = st.lists(st.sampled_from([UP, -UP, np.array([0.0, 1.0]), np.array([0.0, -1.0])]), max_size=3)
offsets = st.lists(st.floats(-10.0, 10.0), min_size=2, max_size=2).map(np.array)
features = st.lists(st.floats(-3.0, 3.0), min_size=2, max_size=2).map(lambda rest: np.array([1.0, *rest]))


def complaint(confidence: float = 0.9) -> Score:
    return Score(Sign.NEGATIVE, -0.3, confidence)


def praise(rating: float = 1.0) -> Score:
    return Score(Sign.POSITIVE, rating, 0.95)


def wanted(belief: Belief, features: Vector = HERE) -> Vector:
    return belief.wanted(features)


def deviation(belief: Belief) -> float:
    return float(belief.deviation(HERE)[0])


def taught(belief: Belief, here: Vector, done: Vector, score: Score, asked: list[Vector]) -> Belief:
    return coach.taught(belief, here, done, score, asked, np.random.default_rng(0))


def untaught() -> Belief:
    return Belief.untaught(2, 3)


def test_correction_changes_only_the_corrected_parameter_by_about_one_step() -> None:
    offset = wanted(taught(untaught(), HERE, NOTHING_DONE, complaint(), [UP]))
    assert 0.5 < offset[0] < 1.5
    assert offset[1] == pytest.approx(0.0, abs=0.1)


def test_less_certain_correction_has_smaller_effect() -> None:
    sure, unsure = (wanted(taught(untaught(), HERE, NOTHING_DONE, complaint(c), [UP]))[0] for c in (0.95, 0.3))
    assert 0.0 < unsure < sure / 2.0


def test_contradicting_corrections_have_decreasing_effect() -> None:
    belief, steps = untaught(), []
    for turn in range(40):
        before = wanted(belief)
        belief = taught(belief, HERE, before, complaint(), [UP if turn % 2 == 0 else -UP])
        steps.append(abs(wanted(belief)[0] - before[0]))
    assert max(steps[-4:]) < 0.55 * steps[0]
    assert max(steps[-4:]) < 0.5


def test_contradicting_corrections_converge_to_midpoint() -> None:
    belief = untaught()
    for turn in range(400):
        belief = taught(belief, HERE, wanted(belief), complaint(), [UP if turn % 2 == 0 else -UP])
        assert abs(wanted(belief)[0]) < 1.5
    assert abs(wanted(belief)[0]) < 0.5


def test_learns_new_correction_after_many_contradicting_corrections() -> None:
    belief = untaught()
    for turn in range(200):
        belief = taught(belief, HERE, wanted(belief), complaint(), [UP if turn % 2 == 0 else -UP])
    before = wanted(belief)[0]
    for _ in range(30):
        belief = taught(belief, HERE, wanted(belief), complaint(), [UP])
    assert wanted(belief)[0] > before + 1.0


def test_praise_moves_desired_offset_toward_executed_offset() -> None:
    done = np.array([1.0, -0.5])
    belief = taught(untaught(), HERE, done, praise(), [])
    assert np.linalg.norm(wanted(belief) - done) < 0.7 * np.linalg.norm(done)
    assert deviation(belief) < deviation(untaught())


def test_criticism_without_direction_increases_uncertainty() -> None:
    sure = taught(untaught(), HERE, NOTHING_DONE, praise(), [])
    assert deviation(taught(sure, HERE, NOTHING_DONE, complaint(), [])) > deviation(sure)


def test_correction_in_one_context_applies_to_other_contexts() -> None:
    belief = taught(untaught(), HERE, NOTHING_DONE, complaint(), [UP])
    assert wanted(belief, np.array([1.0, -1.0, 1.0]))[0] > 0.3


@pytest.mark.slow
@given(st.lists(st.tuples(features, offsets, scores, directions), max_size=12))
def test_belief_stays_finite_after_any_feedback(lessons: list[tuple[Vector, Vector, Score, list[Vector]]]) -> None:
    belief = untaught()
    for here, done, score, asked in lessons:
        belief = taught(belief, here, done, score, asked)
    assert np.isfinite(belief.particles).all()
    assert np.isfinite(belief.wanted(HERE)).all()
    assert (belief.deviation(HERE) > 0.0).all()
