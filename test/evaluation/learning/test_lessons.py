from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evaluation.learning.lessons import Lessons, MiscalibratedEye
from evaluation.learning.teacher import MODEST, LabelScorer, Teacher, remarks
from reachy_agent_ros.learning.correction.learner import OnlineLearner
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.correction.skills import LOOK_AT_OBJECT


@pytest.mark.parametrize("share", [0.5, 0.85])
def test_miscalibrated_eye_has_requested_initial_success_rate(share: float) -> None:
    eye = MiscalibratedEye.with_start(share, 3)
    found = eye.success(lambda context: LOOK_AT_OBJECT.action(context, np.zeros(2)), 99, 3000)
    assert found == pytest.approx(share, abs=0.03)


@pytest.mark.slow
def test_lessons_increase_success_rate(tmp_path: Path) -> None:
    learner = OnlineLearner(LOOK_AT_OBJECT, PolicyStore(tmp_path / "policies"), seed=0)
    eye = MiscalibratedEye.with_start(0.5, 7)
    lessons = Lessons(learner, eye, Teacher(LOOK_AT_OBJECT, 8), LabelScorer(), 9)
    before, after = lessons.curve((0, 40))
    assert before < 0.6
    assert after > before + 0.3


def test_accuracy_of_modest_scorer_matches_its_confidence() -> None:
    scorers = [LabelScorer(MODEST, seed) for seed in range(20)]
    truth = {remark.text: (remark.rating > 0.0) - (remark.rating < 0.0) for remark in remarks()}
    scores = [(scorer.score(text), sign) for scorer in scorers for text, sign in truth.items()]
    right = np.mean([score.sign == sign for score, sign in scores])
    assert right == pytest.approx(0.77, abs=0.03)
    assert np.mean([score.confidence for score, _ in scores]) == pytest.approx(right, abs=0.03)
