"""Looking at an apple, with corrections by feedback.

The robot is simulated; the skill and the reward model are real.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.names import BASE_FRAME
from reachy_agent_ros.core.pose import Vector, head_transform, rpy_from_matrix
from reachy_agent_ros.learning.correction.learner import OnlineLearner
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.correction.skills import LOOK_AT_OBJECT
from reachy_agent_ros.learning.reward.reward_model import RewardModel
from reachy_agent_ros.learning.score import Scorer
from reachy_agent_ros.motion.gaze import gaze_at
from reachy_agent_ros.simulation.mujoco_body import MujocoBody
from reachy_agent_ros.testing.simulated_body import thing_middle
from reachy_agent_ros.tools.body import PoseMotion
from reachy_agent_ros.tools.context import ToolContext

ASKEW = np.radians((7.0, 0.0))
"""Mounting error of the camera in pitch and yaw, rad."""


@pytest.fixture(scope="module")
def robot() -> Iterator[MujocoBody]:
    body = MujocoBody("minimal", blind=True)
    body.reset()
    yield body
    body.close()


def direction_of_apple(robot: MujocoBody) -> Vector:
    """Returns the pitch and yaw of the head (rad) that center the apple in the camera image."""
    place = (robot.measure().objects["apple"] @ thing_middle("apple"))[:3]
    return np.array(rpy_from_matrix(gaze_at(place, BASE_FRAME))[1:])


def look(robot: MujocoBody, learner: OnlineLearner, scorer: Scorer) -> tuple[str, Vector]:
    """Lets the robot look at the apple once, and learn from the feedback of a simulated observer."""
    apple = direction_of_apple(robot)
    seen = apple + ASKEW
    act = learner.act({"target_pitch": seen[0], "target_yaw": seen[1]})
    motion = PoseMotion(head=head_transform(pitch=act.action["pitch"], yaw=act.action["yaw"]))
    robot.move(motion, ToolContext(robot, Deadline(20.0), lambda _: None, CancelToken()))
    robot.wait(0.6)
    missing = apple - np.array(rpy_from_matrix(robot.measure().pose.head)[1:])
    text = "Perfect!"
    if np.linalg.norm(missing) > np.radians(4.0):
        text = "Too far down, needs to be less tilted"
    learner.learn(act, scorer.score(text, act.skill))
    return text, missing


@pytest.mark.slow
def test_gaze_improves_after_correction(robot: MujocoBody, tmp_path: Path) -> None:
    store = PolicyStore(tmp_path / "policies")
    learner, scorer = OnlineLearner(LOOK_AT_OBJECT, store), RewardModel(SentenceEmbedder())
    first, first_missing = look(robot, learner, scorer)
    second, second_missing = look(robot, learner, scorer)
    third, _ = look(robot, learner, scorer)
    assert first == "Too far down, needs to be less tilted"
    assert second == "Perfect!"
    assert third == "Perfect!"
    assert np.linalg.norm(second_missing) < np.linalg.norm(first_missing) / 2.0
    reasons = [record.because for record in store.list(LOOK_AT_OBJECT.name)]
    assert reasons == [
        "Initial version, not corrected yet.",
        "Corrected: pitch_up.",
        "Praised.",
        "Praised.",
    ]
    assert robot.watch.violations == robot.watch.jumps == 0
