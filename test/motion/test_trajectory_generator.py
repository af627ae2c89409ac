from __future__ import annotations

import numpy as np
import pytest

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.motion.breathing import Breath
from reachy_agent_ros.motion.offset import Offset, OffsetSource
from reachy_agent_ros.motion.trajectory_generator import LISTENING_PATIENCE, Listening
from reachy_agent_ros.robot.coordinates import coordinates
from reachy_agent_ros.robot.target_validation import Target
from support.robot.rig import PERIOD, Rig

BREATH = Breath(pause=0.5)


@pytest.fixture
def rig() -> Rig:
    return Rig(BREATH)


def listen(rig: Rig, seconds: float) -> None:
    """Runs the robot while it is notified at 10 Hz that it is listening."""
    for _ in range(round(seconds / 0.1)):
        rig.controller.listen(True, rig.now)
        rig.run(0.1)


def speak(rig: Rig, seconds: float) -> None:
    """Runs the robot with the offsets of a head that nods during loud speech."""
    for _ in range(round(seconds / PERIOD)):
        nod = Offset(rotation=np.array([0.0, 0.1 * np.sin(8.0 * rig.now), 0.0]))
        rig.controller.offset(OffsetSource.SPEECH, nod, rig.now)
        rig.turn()


def assert_still(rig: Rig, seconds: float) -> None:
    still = coordinates(rig.pose)
    for _ in range(round(seconds / 0.1)):
        listen(rig, 0.1)
        assert np.allclose(coordinates(rig.pose), still, atol=1e-5)


def test_robot_stays_in_listening_state_until_cleared_or_timeout() -> None:
    listening = Listening()
    assert not listening.active(1.0)
    listening.note(True, 1.0)
    assert listening.active(1.0 + 0.9 * LISTENING_PATIENCE)
    assert not listening.active(1.0 + 1.1 * LISTENING_PATIENCE)
    listening.note(True, 5.0)
    listening.note(False, 5.1)
    assert not listening.active(5.1)


def test_listening_state_stops_breathing(rig: Rig) -> None:
    rig.run(2.3)
    assert rig.controller.breathing
    listen(rig, 0.4)
    assert not rig.controller.breathing
    assert_still(rig, 2.0)
    rig.controller.listen(False, rig.now)
    rig.run(2.0)
    assert rig.controller.breathing


def test_listening_freezes_motion_layers(rig: Rig) -> None:
    speak(rig, 0.7)
    for _ in range(5):
        rig.controller.listen(True, rig.now)
        speak(rig, 0.1)
    still = coordinates(rig.pose)
    for _ in range(10):
        rig.controller.listen(True, rig.now)
        speak(rig, 0.1)
        assert np.allclose(coordinates(rig.pose), still, atol=1e-5)
    rig.controller.listen(False, rig.now)
    speak(rig, 0.3)
    assert not np.allclose(coordinates(rig.pose), still, atol=0.005)


def test_motion_continues_while_listening(rig: Rig) -> None:
    rig.play(Target(body_yaw=1.0))
    listen(rig, 3.0)
    assert rig.codes() == [ErrorCode.NONE]
    assert rig.pose.body_yaw == pytest.approx(1.0, abs=0.01)
