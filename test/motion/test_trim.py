import numpy as np
import pytest

from reachy_agent_ros.motion.following import TOLERANCE
from reachy_agent_ros.motion.trim import LARGEST, Trim

WANTED = np.zeros(9)
PERIOD = 0.01


def test_a_body_that_is_where_it_should_be_is_left_alone() -> None:
    trim = Trim()
    trim.correct(WANTED, WANTED, PERIOD)
    assert not trim.values.any()


@pytest.mark.parametrize("lag", [0.0, 0.05, 0.4])
def test_a_body_with_a_standing_deviation_comes_nearer_without_swinging(lag: float) -> None:
    """Whether it follows after a delay, as the real one, or creeps, as the simulated one."""
    trim, body, commands = Trim(), np.zeros(9), [np.zeros(9)] * 5
    deviation = 0.3 * TOLERANCE
    seen = []
    for _ in range(300):
        trim.correct(WANTED, body, PERIOD)
        commands.append(trim.values - deviation)
        body = body + (commands[-6] - body) * (PERIOD / (lag + PERIOD))
        seen.append(body[4] / deviation[4])
    assert seen[-1] == pytest.approx(-1.0 / 3.0, abs=0.01)
    assert max(seen[60:]) < 0.0


def test_a_hand_that_holds_the_body_is_not_fought_with_more_than_the_bound() -> None:
    trim = Trim()
    for _ in range(1000):
        trim.correct(WANTED, 5.0 * TOLERANCE, PERIOD)
    assert (np.abs(trim.values) <= LARGEST).all()


def test_it_fades_in_the_next_motion() -> None:
    trim = Trim()
    for _ in range(100):
        trim.correct(WANTED, TOLERANCE / 2.0, PERIOD)
    for _ in range(300):
        trim.fade(PERIOD)
    assert np.abs(trim.values).max() < 1e-4
