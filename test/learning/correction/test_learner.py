from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.action_record import TOOL_CHOICE, ActionRecord
from reachy_agent_ros.learning.correction.learner import OnlineLearner, Viewpoint, as_the_robot_sees, judged_act
from reachy_agent_ros.learning.correction.policy import CorrectionPolicy
from reachy_agent_ros.learning.correction.policy_store import PolicyRecord, PolicyStore
from reachy_agent_ros.learning.correction.skills import APPROACH, DANCE, EXPRESS_EMOTION, LOOK_AT_OBJECT, Skill
from reachy_agent_ros.learning.score import Axis, Score, Sign

APPLE = {"target_pitch": 0.2, "target_yaw": -0.3}

NAME = LOOK_AT_OBJECT.name


def corrected(*axes: Axis) -> Score:
    return Score(Sign.NEGATIVE, -0.3, 0.95, axes)


PRAISE = Score(Sign.POSITIVE, 0.9, 0.95)


UNDO = corrected(Axis.UNDO)


@pytest.fixture
def store(tmp_path: Path) -> PolicyStore:
    return PolicyStore(tmp_path / "policies")


@pytest.fixture
def learner(store: PolicyStore) -> OnlineLearner:
    return OnlineLearner(LOOK_AT_OBJECT, store, seed=0)


def test_untrained_skill_chooses_nominal_values(learner: OnlineLearner) -> None:
    act = learner.act(APPLE)
    assert act.action == pytest.approx({"pitch": 0.2, "yaw": -0.3})
    assert (act.skill, act.policy_version, act.probability) == (NAME, "0", 1.0)


def test_correction_is_stored_and_changes_next_action(learner: OnlineLearner, store: PolicyStore) -> None:
    lesson = learner.learn(learner.act(APPLE), corrected(Axis.PITCH_UP))
    assert (lesson.version, lesson.learned, lesson.reason) == (2, True, "I will look higher from now on.")
    act = learner.act(APPLE)
    assert act.policy_version == "2"
    assert act.action["pitch"] < 0.17
    assert OnlineLearner(LOOK_AT_OBJECT, store).act(APPLE).action == act.action


def test_late_feedback_applies_to_the_rated_action(learner: OnlineLearner) -> None:
    first = learner.act(APPLE)
    for _ in range(4):
        learner.learn(learner.act(APPLE), corrected(Axis.PITCH_UP))
    raised = learner.act(APPLE).action["pitch"]
    learner.learn(first, corrected(Axis.PITCH_UP))
    # After four learned corrections, another equal one adds little information.
    assert abs(learner.act(APPLE).action["pitch"] - raised) < 0.01


def test_repeated_undo_reverts_corrections_in_order(learner: OnlineLearner) -> None:
    learner.learn(learner.act(APPLE), corrected(Axis.PITCH_UP))
    once = learner.act(APPLE).action
    learner.learn(learner.act(APPLE), corrected(Axis.YAW_LEFT))
    learner.learn(learner.act(APPLE), PRAISE)
    assert learner.learn(learner.act(APPLE), UNDO).version == 2
    assert learner.act(APPLE).action == once
    assert learner.learn(learner.act(APPLE), UNDO).version == 1
    lesson = learner.learn(learner.act(APPLE), UNDO)
    assert not lesson.learned
    assert "no correction" in lesson.reason


@pytest.mark.parametrize(
    "score",
    [
        Score(Sign.NEUTRAL, 0.0, 0.99),
        Score(Sign.NEUTRAL, 0.0, 0.9, (Axis.LOUDER,)),
        Score(Sign.NEGATIVE, -0.4, 0.9, (Axis.LOUDER,)),
        Score(Sign.POSITIVE, 1, 0),
    ],
)
def test_unrelated_feedback_creates_no_policy_version(learner: OnlineLearner, store: PolicyStore, score: Score) -> None:
    assert not learner.learn(learner.act(APPLE), score).learned
    assert store.standing(NAME).last == 0


def test_learner_does_not_learn_while_a_policy_version_is_pinned(learner: OnlineLearner, store: PolicyStore) -> None:
    learner.learn(learner.act(APPLE), PRAISE)
    store.pin(NAME)
    for score in (corrected(Axis.PITCH_UP), UNDO):
        lesson = learner.learn(learner.act(APPLE), score)
        assert (lesson.version, lesson.learned, lesson.reason) == (2, False, "Version 2 is pinned.")


def test_next_action_uses_rollback_made_by_another_store(learner: OnlineLearner, tmp_path: Path) -> None:
    learner.learn(learner.act(APPLE), corrected(Axis.PITCH_UP))
    PolicyStore(tmp_path / "policies").roll_back(NAME, 1)
    act = learner.act(APPLE)
    assert act.policy_version == "1"
    assert act.action["pitch"] == pytest.approx(0.2)


def test_rollback_of_first_version_restores_untrained_behavior(learner: OnlineLearner, store: PolicyStore) -> None:
    learner.learn(learner.act(APPLE), corrected(Axis.PITCH_UP))
    store.roll_back(NAME)
    store.roll_back(NAME)
    act = learner.act(APPLE)
    assert act.action == pytest.approx({"pitch": 0.2, "yaw": -0.3})
    assert act.policy_version == "0"
    assert OnlineLearner(LOOK_AT_OBJECT, store).act(APPLE).policy_version == "0"


def test_learner_learns_again_after_skill_is_deleted(learner: OnlineLearner, store: PolicyStore) -> None:
    learner.learn(learner.act(APPLE), corrected(Axis.PITCH_UP))
    assert store.delete(NAME) == 2
    act = learner.act(APPLE)
    assert act.action == pytest.approx({"pitch": 0.2, "yaw": -0.3})
    assert learner.learn(act, corrected(Axis.PITCH_UP)).learned
    assert learner.act(APPLE).action["pitch"] < 0.17
    assert learner.learn(learner.act(APPLE), UNDO).learned
    assert learner.act(APPLE).action == act.action


def test_deleted_skill_is_not_listed_after_restart(learner: OnlineLearner, store: PolicyStore) -> None:
    learner.learn(learner.act(APPLE), corrected(Axis.PITCH_UP))
    store.delete(NAME)
    OnlineLearner(LOOK_AT_OBJECT, store).act(APPLE)
    assert store.skills() == []


@pytest.mark.parametrize(
    ("skill", "axis", "lesson"),
    [
        (EXPRESS_EMOTION, Axis.SMALLER, "I will show emotions with smaller movements from now on."),
        (DANCE, Axis.SLOWER, "I will dance more slowly from now on."),
    ],
)
def test_corrections_change_emotions_and_dances(store: PolicyStore, skill: Skill, axis: Axis, lesson: str) -> None:
    learner = OnlineLearner(skill, store, seed=0)
    context = {"distance": 1.0}
    update = learner.learn(learner.act(context), corrected(axis))
    assert (update.reason, update.told) == (lesson, True)
    changed = learner.act(context).action["size" if axis is Axis.SMALLER else "tempo"]
    assert 0.5 <= changed < 0.95


@pytest.mark.parametrize(
    ("sign", "lesson"),
    [(Sign.POSITIVE, "That was a good way to dance."), (Sign.NEGATIVE, "I will try another way to dance.")],
)
def test_praise_and_criticism_are_acknowledged_in_words(store: PolicyStore, sign: Sign, lesson: str) -> None:
    learner = OnlineLearner(DANCE, store, seed=0)
    score = Score(sign, float(sign), 1.0, ())
    assert learner.learn(learner.act({"distance": 1.0}), score).reason == lesson


def test_correction_beyond_bound_is_declined_in_words(store: PolicyStore) -> None:
    learner = OnlineLearner(DANCE, store, seed=0)
    update = learner.learn(learner.act({"distance": 1.0}), corrected(Axis.BIGGER))
    assert (update.learned, update.told) == (False, True)
    assert update.reason == "I cannot dance with bigger movements than I do now."
    assert store.skills() == []
    assert learner.learn(learner.act({"distance": 1.0}), corrected(Axis.BIGGER, Axis.SLOWER)).learned


def test_speaker_viewpoint_mirrors_corrections_to_left(tmp_path: Path) -> None:
    yaws = []
    for viewpoint in Viewpoint:
        learner = OnlineLearner(LOOK_AT_OBJECT, PolicyStore(tmp_path / viewpoint), viewpoint)
        learner.learn(learner.act(APPLE), corrected(Axis.YAW_LEFT))
        yaws.append(learner.act(APPLE).action["yaw"] + 0.3)
    assert yaws[0] > 0.03
    assert yaws[1] == pytest.approx(-yaws[0], rel=0.1)


def test_learner_rejects_invalid_input_without_storing_changes(learner: OnlineLearner, store: PolicyStore) -> None:
    act = learner.act(APPLE)
    bad: list[tuple[ActionRecord, Score, ErrorCode]] = [
        (replace(act, skill="talk"), PRAISE, ErrorCode.INVALID_ARGUMENTS),
        (replace(act, context={}), PRAISE, ErrorCode.INVALID_ARGUMENTS),
        (replace(act, action={}), corrected(Axis.PITCH_UP), ErrorCode.INVALID_ARGUMENTS),
        (replace(act, action={"pitch": np.inf, "yaw": 0.0}), PRAISE, ErrorCode.NOT_FINITE),
        (act, replace(PRAISE, rating=np.nan), ErrorCode.NOT_FINITE),
    ]
    for wrong, score, code in bad:
        with pytest.raises(AgentError) as refusal:
            learner.learn(wrong, score)
        assert refusal.value.code is code
    assert store.standing(NAME).active == 0


def test_learner_rejects_weights_of_another_skill(store: PolicyStore) -> None:
    learner = OnlineLearner(APPROACH, store)
    weights = CorrectionPolicy.untaught(APPROACH).arrays()
    store.save(PolicyRecord(NAME, 0, "coach", 0.0), weights)
    with pytest.raises(AgentError) as rejection:
        OnlineLearner(LOOK_AT_OBJECT, store)
    assert rejection.value.code is ErrorCode.POLICY_REJECTED
    assert learner.act({"distance": 1.0}).action == pytest.approx({"lean": 0.015})


def test_falling_ratings_restore_earlier_behavior(learner: OnlineLearner) -> None:
    for _ in range(12):
        learner.learn(learner.act(APPLE), PRAISE)
    good = learner.act(APPLE).action["pitch"]
    reasons = [learner.learn(learner.act(APPLE), corrected(Axis.PITCH_DOWN)).reason for _ in range(12)]
    assert reasons[-1] == "Ratings fell, so the earlier behavior was restored."
    assert learner.act(APPLE).action["pitch"] == pytest.approx(good)


def test_learner_acts_and_learns_in_concurrent_threads(learner: OnlineLearner, store: PolicyStore) -> None:
    def use() -> None:
        for _ in range(5):
            learner.learn(learner.act(APPLE), PRAISE)

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.standing(NAME).last == 21
    assert learner.policy.rewards.judged == 20


def heard(axis: Axis, viewpoint: Viewpoint) -> Axis:
    return as_the_robot_sees(Score(Sign.NEGATIVE, -0.3, 0.9, (axis,)), viewpoint).axes[0]


def test_correction_to_left_from_robot_viewpoint_is_positive_yaw() -> None:
    axis = heard(Axis.YAW_LEFT, Viewpoint.ROBOT)
    assert LOOK_AT_OBJECT.direction(axis).tolist() == [0.0, 1.0]


def test_correction_from_viewpoint_of_person_facing_robot_swaps_left_and_right() -> None:
    axis = heard(Axis.YAW_LEFT, Viewpoint.ACROSS)
    assert LOOK_AT_OBJECT.direction(axis).tolist() == [0.0, -1.0]
    assert heard(Axis.ROLL_RIGHT, Viewpoint.ACROSS) is Axis.ROLL_LEFT


def test_viewpoint_affects_only_left_and_right_axes() -> None:
    sided = {Axis.YAW_LEFT, Axis.YAW_RIGHT, Axis.ROLL_LEFT, Axis.ROLL_RIGHT}
    assert all(heard(axis, Viewpoint.ACROSS) is axis for axis in set(Axis) - sided)


def test_correction_of_failed_action_says_that_there_is_nothing_to_correct(learner: OnlineLearner) -> None:
    failed = replace(learner.act(APPLE), policy_version="")
    choice = replace(failed, skill=TOOL_CHOICE)
    with pytest.raises(AgentError, match=r"I did not look, so there is nothing to correct\."):
        judged_act(corrected(Axis.PITCH_DOWN), [choice, failed])


@pytest.mark.parametrize(
    ("outcome", "answer"),
    [
        ({"called.remember": 1.0}, r"I cannot learn another way to remember"),
        ({"failed": 0.0}, r"I only answered, so there is no action to correct\."),
    ],
)
def test_correction_of_choice_of_tool_names_called_tool(
    learner: OnlineLearner, outcome: dict[str, float], answer: str
) -> None:
    choice = replace(learner.act(APPLE), skill=TOOL_CHOICE, outcome=outcome)
    with pytest.raises(AgentError, match=answer):
        judged_act(corrected(Axis.SMALLER), [choice])
