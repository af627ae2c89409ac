"""Tests that a head that stays far from its commanded pose is detected as a fault."""

import math

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.motion.head_fault import HeadFault
from reachy_agent_ros.robot.protocol import MotorMode
from reachy_agent_ros.robot.target_validation import Target
from support.robot.rig import Rig

TIPPED = BodyPose(head_transform(roll=math.radians(51.0)))
LOOK = Target(head=head_transform(yaw=0.2))


@pytest.fixture
def tipped() -> Rig:
    """Robot whose head lies on its side, whatever the command is."""
    rig = Rig()
    rig.deaf, rig.pose = True, TIPPED
    rig.run(1.5)
    return rig


def test_reports_fault_if_head_stays_far_from_commanded_pose(tipped: Rig) -> None:
    assert tipped.controller.fault is not None
    assert tipped.controller.fault.message.startswith("head.roll is ")
    assert tipped.reported() == {"motion": ErrorCode.NOT_REACHED}


def test_rejects_motion_and_stream_during_fault(tipped: Rig) -> None:
    with pytest.raises(AgentError) as refused:
        tipped.play(LOOK)
    assert refused.value.code is ErrorCode.NOT_REACHED
    tipped.reported()
    tipped.stream(LOOK)
    assert tipped.reported() == {"head": ErrorCode.NOT_REACHED}


def test_fault_cancels_running_motion() -> None:
    rig = Rig()
    rig.play(LOOK, duration=5.0)
    rig.run(0.5)
    rig.deaf, rig.pose = True, TIPPED
    rig.run(1.5)
    assert rig.codes() == [ErrorCode.NOT_REACHED]


def test_fault_ends_when_head_is_released(tipped: Rig) -> None:
    tipped.deaf = False
    tipped.run(0.5)
    assert tipped.controller.fault is None
    tipped.play(LOOK)


def test_short_push_of_head_does_not_cause_fault() -> None:
    rig = Rig()
    rig.deaf, rig.pose = True, TIPPED
    rig.run(0.8)
    rig.deaf = False
    rig.run(2.0)
    assert rig.controller.fault is None


@pytest.mark.parametrize("mode", [MotorMode.DISABLED, MotorMode.GRAVITY_COMPENSATION])
def test_disabling_motors_clears_fault(tipped: Rig, mode: MotorMode) -> None:
    tipped.mode = mode
    tipped.run(0.1)
    assert tipped.controller.fault is None
    tipped.run(3.0)
    assert tipped.controller.fault is None  # a person may move the head by hand to any pose


def test_emergency_stop_and_reset_clear_fault_of_working_head(tipped: Rig) -> None:
    tipped.controller.stop("it fell")
    tipped.run(0.1)
    assert tipped.controller.fault is None
    tipped.deaf = False
    tipped.controller.release()
    tipped.run(0.5)
    tipped.play(LOOK)
    tipped.run(3.0)
    assert tipped.codes() == [ErrorCode.NONE]


def test_fault_delay_follows_parameter() -> None:
    fault = HeadFault(patience=5.0)
    for now in np.arange(0.0, 4.9, 0.1):
        assert not fault.observe(TIPPED, BodyPose(), float(now))
    assert fault.observe(TIPPED, BodyPose(), 5.2)
