import pytest

from reachy_agent_ros.learning.axis import Axis
from reachy_agent_ros.learning.feedback.remark import is_judgement
from reachy_agent_ros.learning.score import Score, Sign

PRAISE = Score(Sign.POSITIVE, 0.8, 0.95)
BLAME = Score(Sign.NEGATIVE, -0.4, 0.85)
CORRECTION = Score(Sign.NEGATIVE, -0.3, 0.9, (Axis.YAW_LEFT,))


@pytest.mark.parametrize("score", [PRAISE, BLAME, CORRECTION])
def test_what_is_certainly_praise_or_blame_is_a_judgement(score: Score) -> None:
    assert is_judgement(score, obeyed=False)


@pytest.mark.parametrize(
    "score",
    [
        Score(Sign.NEUTRAL, 0.0, 1.0),
        Score(Sign.POSITIVE, 0.8, 0.7),
        Score(Sign.NEGATIVE, -1.0, 1.0, (Axis.STOP,), stop=True),
    ],
)
def test_what_is_unclear_says_nothing_or_stops_is_none(score: Score) -> None:
    assert not is_judgement(score, obeyed=False)


def test_of_a_command_only_a_direction_counts() -> None:
    assert is_judgement(CORRECTION, obeyed=True)
    assert not is_judgement(BLAME, obeyed=True)
