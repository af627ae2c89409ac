import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.robot.mujoco_robot import MujocoRobot
from reachy_agent_ros.robot.places import read_places


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("", {}),
        ("duck:-0.1:0.3", {"duck": (-0.1, 0.3)}),
        ("duck:1:0, apple:0.5:-0.25", {"duck": (1.0, 0.0), "apple": (0.5, -0.25)}),
    ],
)
def test_parses_object_positions(text: str, places: dict[str, tuple[float, float]]) -> None:
    assert read_places(text) == places


@pytest.mark.parametrize("text", ["duck", "duck:1", "duck:1:2:3", "duck:one:2", "duck:nan:0", "duck:1:inf", " "])
def test_rejects_invalid_object_positions(text: str) -> None:
    with pytest.raises(AgentError, match="NAME:X:Y") as caught:
        read_places(text)
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS


def test_object_stands_at_given_position() -> None:
    robot = MujocoRobot("minimal", clock=lambda: 0.0, places={"duck": (0.1, 0.28)})
    robot.connect()
    assert np.allclose(robot.measure().objects["duck"][:2, 3], (0.1, 0.28), atol=0.02)
    assert robot.measure().objects["duck"][2, 3] == pytest.approx(0.0, abs=0.02)


@pytest.mark.parametrize("name", ["table", "unicorn"])
def test_rejects_object_that_cannot_be_placed(name: str) -> None:
    with pytest.raises(AgentError, match="apple, croissant, duck") as caught:
        MujocoRobot("minimal", clock=lambda: 0.0, places={name: (0.1, 0.28)}).connect()
    assert caught.value.code is ErrorCode.INVALID_GOAL
