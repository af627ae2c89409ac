import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.robot.kinematics import BodyKinematics
from reachy_agent_ros.robot.mujoco_simulation import Simulation
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.cameras import StudioProcess


def joints(pose: BodyPose) -> dict[str, float]:
    """Returns the positions of all joints for a posture of the robot."""
    kinematics = BodyKinematics()
    simulation = Simulation("empty", kinematics.inverse(BodyPose()))
    simulation.set_targets(kinematics.inverse(pose))
    simulation.step(round(1.0 / simulation.timestep))
    return simulation.joints()


def top_of_head(image: Image) -> int:
    """Returns the first row of an image that contains the white color of the robot's shell."""
    rows, _ = np.nonzero((image > 200).all(axis=2))
    return int(rows.min())


@pytest.mark.slow
def test_renderer_shows_robot_in_posture_of_its_joints() -> None:
    studio = StudioProcess("minimal", 320, 240)
    neutral = studio.capture(joints(BodyPose()), {"duck": head_transform(x=0.6)})
    raised = studio.capture(joints(BodyPose(head_transform(z=0.02))), {})
    lowered = studio.capture(joints(BodyPose(head_transform(z=-0.03))), {})
    assert top_of_head(raised) < top_of_head(neutral) < top_of_head(lowered)


def test_missing_renderer_raises_error_that_contains_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUJOCO_GL", "no_such_library")
    with pytest.raises(AgentError, match="MUJOCO_GL: no_such_library") as caught:
        StudioProcess("empty", 16, 16).capture({}, {})
    assert caught.value.code is ErrorCode.CAMERA_UNAVAILABLE
