import uuid

from reachy_agent_ros.learning.feedback.question import QuestionRule
from reachy_agent_ros.learning.score import Score, Sign

UNSURE = Score(Sign.NEUTRAL, 0.0, 0.4)


def test_the_same_turn_counts_once() -> None:
    rule = QuestionRule()
    assert rule.question(UNSURE)
    for _ in range(4):
        turn = uuid.uuid4()
        rule.note_turn(turn)
        rule.note_turn(turn)
    assert rule.question(UNSURE) is None
    rule.note_turn(uuid.uuid4())
    assert rule.question(UNSURE)


def test_nobody_is_asked_after_a_stop() -> None:
    assert QuestionRule().question(Score(Sign.NEGATIVE, -1.0, 0.3, (), stop=True)) is None
