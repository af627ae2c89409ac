import uuid

import pytest

from reachy_agent_ros.learning.feedback.credit import Credit, Reward
from reachy_agent_ros.learning.feedback.question import DISLIKED, LIKED, PATIENCE, Inquiry, QuestionRule
from reachy_agent_ros.learning.feedback_event import FeedbackSource
from reachy_agent_ros.learning.score import Score, Sign
from support.learning.feedback_cases import act, said

UNSURE = Score(Sign.NEUTRAL, 0.0, 0.4)


def test_question_limit_counts_each_turn_once() -> None:
    rule = QuestionRule()
    assert rule.question(UNSURE)
    for _ in range(4):
        turn = uuid.uuid4()
        rule.note_turn(turn)
        rule.note_turn(turn)
    assert rule.question(UNSURE) is None
    rule.note_turn(uuid.uuid4())
    assert rule.question(UNSURE)


def test_does_not_ask_question_about_feedback_after_stop() -> None:
    assert QuestionRule().question(Score(Sign.NEGATIVE, -1.0, 0.3, (), stop=True)) is None


TURN = uuid.uuid4()


@pytest.fixture
def inquiry() -> Inquiry:
    """Inquiry that asked, at the time 105 s, whether the word "sick" was meant as praise."""
    inquiry = Inquiry({"yes": True, "no": False, "no! stop!": False}.get)
    unclear = said("sick", person="Ada")
    score = Score(Sign.POSITIVE, 0.4, 0.4)
    inquiry.ask(unclear, Reward(unclear.feedback_id, unclear.given, score, (Credit(act(TURN), 1.0),)), 105.0)
    return inquiry


@pytest.mark.parametrize(("answer", "rating"), [("yes", LIKED), ("no", DISLIKED)])
def test_answer_becomes_rating_of_unclear_feedback(inquiry: Inquiry, answer: str, rating: float) -> None:
    judgment = inquiry.answer(answer, 107.0)
    assert judgment is not None
    assert (judgment.text, judgment.rating, judgment.source) == ("sick", rating, FeedbackSource.RATING)
    assert (judgment.turn_id, judgment.person) == (TURN, "Ada")


def test_question_about_feedback_accepts_only_one_answer(inquiry: Inquiry) -> None:
    assert inquiry.answer("what time is it", 106.0) is None
    assert inquiry.answer("yes", 107.0) is not None
    assert inquiry.answer("yes", 108.0) is None


def test_ignores_late_answer_to_question_about_feedback(inquiry: Inquiry) -> None:
    assert inquiry.answer("yes", 105.0 + PATIENCE + 0.1) is None


def test_urgent_stop_is_not_an_answer_to_question_about_feedback(inquiry: Inquiry) -> None:
    assert inquiry.answer("no! stop!", 106.0) is None


def test_ignores_answer_without_question() -> None:
    assert Inquiry({"yes": True}.get).answer("yes", 1.0) is None
