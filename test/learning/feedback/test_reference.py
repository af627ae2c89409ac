"""Feedback is credited to the action that its words describe, not to speech that follows the action."""

from __future__ import annotations

import uuid

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.action_record import TOOL_CHOICE, ActionRecord
from reachy_agent_ros.learning.feedback.credit import assign_credit, likeliest_act
from reachy_agent_ros.learning.feedback_event import FeedbackSource
from reachy_agent_ros.learning.score import Axis
from support.learning.feedback_cases import act, said


def turn(began: float, *skills: str) -> list[ActionRecord]:
    """Returns consecutive actions of a turn, each with a duration of one second."""
    turn_id = uuid.uuid4()
    return [
        act(turn_id, began=began + number, ended=began + number + 1.0, skill=skill)
        for number, skill in enumerate(skills)
    ]


JOY = turn(100.0, "express_emotion", "talk")
NOD = turn(80.0, "make_gesture", "talk")
LOOK = turn(76.0, "look_at_object", "talk")
HELLO = turn(104.0, "talk")
ALL = [*LOOK, *NOD, *JOY]


@pytest.mark.parametrize(
    ("text", "axes", "skill"),
    [
        ("too wild, smaller please", (Axis.SMALLER,), "express_emotion"),
        ("too fast", (Axis.SLOWER,), "express_emotion"),
        ("too loud", (Axis.QUIETER,), "talk"),
        ("the nod was too fast", (Axis.SLOWER,), "make_gesture"),
        ("you looked too far down", (Axis.PITCH_UP,), "look_at_object"),
        ("you speak too fast", (Axis.SLOWER,), "talk"),
        ("that looked silly", (), "express_emotion"),
        ("well done", (), "express_emotion"),
    ],
)
def test_feedback_is_credited_to_action_described_by_its_words(text: str, axes: tuple[Axis, ...], skill: str) -> None:
    credits_ = assign_credit(said(text, at=102.5, source=FeedbackSource.TEXT), ALL, axes)
    assert credits_[0].act.skill == skill
    assert len({credit.act.skill for credit in credits_}) == 1


def test_correction_is_credited_to_motion_before_later_speech() -> None:
    credits_ = assign_credit(said("too big", at=106.0, source=FeedbackSource.TEXT), [*NOD, *HELLO], (Axis.SMALLER,))
    assert credits_[0].act.skill == "make_gesture"


def test_spoken_feedback_is_credited_to_action_before_long_sentence() -> None:
    turn_id = uuid.uuid4()
    nod = act(turn_id, began=100.0, ended=101.0, skill="make_gesture")
    sentence = act(turn_id, began=101.0, ended=107.0, skill="talk")
    assert assign_credit(said("too big", at=108.0), [nod, sentence], (Axis.SMALLER,))[0].act == nod


REMARK = act(uuid.uuid4(), began=101.5, ended=107.0, skill="talk")
"""Remark such as "here you go", in another turn than the motion before it."""


@pytest.mark.parametrize(
    ("text", "axes", "skill"),
    [
        ("that was too fast", (Axis.SLOWER,), "dance"),
        ("too big", (Axis.SMALLER,), "dance"),
        ("you spoke too fast", (Axis.SLOWER,), "talk"),
        ("too loud", (Axis.QUIETER,), "talk"),
    ],
)
def test_correction_after_remark_is_credited_to_motion_before_it(text: str, axes: tuple[Axis, ...], skill: str) -> None:
    dance = act(uuid.uuid4(), began=98.0, ended=101.0, skill="dance")
    (credit,) = assign_credit(said(text, at=108.0), [dance, REMARK], axes)
    assert credit.act.skill == skill


def test_correction_of_speech_is_not_credited_to_motion_long_before_it() -> None:
    dance = act(uuid.uuid4(), began=90.0, ended=95.0, skill="dance")
    (credit,) = assign_credit(said("too fast", at=108.0), [dance, REMARK], (Axis.SLOWER,))
    assert credit.act.skill == "talk"


def test_correction_skips_later_turn_without_motion() -> None:
    question = turn(90.0, TOOL_CHOICE, "talk")
    credits_ = assign_credit(said("too big", at=93.0, source=FeedbackSource.TEXT), [*NOD, *question], (Axis.SMALLER,))
    assert [credit.act.skill for credit in credits_] == ["make_gesture"]


def test_praise_is_credited_to_choice_of_tool_and_names_the_action() -> None:
    dance = turn(90.0, TOOL_CHOICE, "dance")
    credits_ = assign_credit(said("well done", at=93.0, source=FeedbackSource.TEXT), dance)
    assert {credit.act.skill for credit in credits_} == {TOOL_CHOICE, "dance"}
    assert likeliest_act(credits_).tool == "dance"


def test_choice_of_tool_is_named_after_first_called_tool() -> None:
    assert (
        act(skill=TOOL_CHOICE, outcome={"failed": 0.0, "called.remember": 1.0, "called.speak": 1.0}).tool == "remember"
    )
    assert not act(skill=TOOL_CHOICE, outcome={"failed": 0.0}).tool


def test_rejects_correction_that_matches_no_action() -> None:
    with pytest.raises(AgentError, match="can be changed in this way") as error:
        assign_credit(said("a bit too far down", at=105.5), HELLO, (Axis.PITCH_UP,))
    assert error.value.code is ErrorCode.NO_DATA


def test_correction_is_credited_to_speech_if_no_other_action_was_executed() -> None:
    assert assign_credit(said("too fast", at=105.5), HELLO, (Axis.SLOWER,))[0].act.skill == "talk"
