import math
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.learning.demonstrations.given_actions import ORIGIN, add_given_actions
from reachy_agent_ros.learning.demonstrations.index import Demonstrations


def nodding(pitch: float) -> BodyPose:
    return BodyPose(head_transform(0.0, pitch, 0.3, 0.0, 0.0, 0.0), -0.4, 0.2, 0.1)


def test_what_a_program_gives_is_read_back_as_if_it_had_been_recorded(tmp_path: Path) -> None:
    demonstrations = Demonstrations(tmp_path)
    postures = [nodding(0.0), nodding(0.3), nodding(0.0)]
    made = add_given_actions(demonstrations, "nod", "nod like this", [1.0, 1.5, 2.0], postures, "Ada")
    assert (made.skill, made.person, made.origin, made.ended) == ("nod", "Ada", ORIGIN, True)
    assert made.duration == pytest.approx(1.0)
    trajectory = demonstrations.bag(demonstrations.find(made.identifier)).trajectory()
    expected = np.array([0.0, 0.0, 0.0, 0.0, 0.3, 0.2, 0.1, -0.4, 0.2])
    assert trajectory.values[25] == pytest.approx(expected, abs=1e-6)
    assert trajectory.values[12, 4] == pytest.approx(0.3 * 12 / 25, abs=1e-6)


@pytest.mark.parametrize(
    ("times", "pitches", "code", "told"),
    [
        ([0.0, 1.0, 2.0], [0.0, 0.9, 0.0], ErrorCode.OUT_OF_ENVELOPE, "At 1.00 s head.pitch is 51.6 deg"),
        ([0.0, 1.0, 1.0], [0.0, 0.1, 0.0], ErrorCode.INVALID_ARGUMENTS, "Action 3 is not later"),
        ([0.0, 0.001, 0.002], [0.0, 0.0, 0.0], ErrorCode.INVALID_ARGUMENTS, "takes 0.02 s at least"),
        ([0.0, 1.0, 2.0], [0.0, math.nan, 0.0], ErrorCode.NOT_FINITE, "none"),
        ([0.0, 1.0, 200.0], [0.0, 0.1, 0.0], ErrorCode.INVALID_GOAL, "trim it"),
    ],
)
def test_what_the_body_cannot_do_is_refused_with_the_moment_and_nothing_is_kept(
    tmp_path: Path, times: list[float], pitches: list[float], code: ErrorCode, told: str
) -> None:
    demonstrations = Demonstrations(tmp_path)
    with pytest.raises(AgentError) as refused:
        add_given_actions(demonstrations, "nod", "nod like this", times, [nodding(one) for one in pitches])
    assert refused.value.code is code
    assert told in refused.value.message
    assert not list(tmp_path.iterdir())


def test_a_skill_needs_a_name(tmp_path: Path) -> None:
    with pytest.raises(AgentError) as refused:
        add_given_actions(Demonstrations(tmp_path), "", "...", [0.0, 1.0], [nodding(0.0)] * 2)
    assert refused.value.code is ErrorCode.INVALID_GOAL
