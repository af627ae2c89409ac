from __future__ import annotations

import math
import threading
from collections.abc import Callable

import numpy as np
import pytest

from reachy_agent_ros.core.pose import Vector, angle_between, head_transform
from reachy_agent_ros.robot.coordinates import coordinates
from reachy_agent_ros.simulation.mujoco_body import MujocoBody
from reachy_agent_ros.tools.body import MoveLibrary, NamedMotion, PoseMotion
from reachy_agent_ros.tools.context import ToolContext

Contexts = Callable[..., ToolContext]


def played(mujoco_body: MujocoBody, context_for: Contexts) -> list[Vector]:
    mujoco_body.reset()
    context = context_for(mujoco_body)
    postures = []
    for yaw in (0.4, -0.2):
        postures.append(coordinates(mujoco_body.move(PoseMotion(head_transform(yaw=yaw)), context).pose))
        mujoco_body.wait(0.1)
    return postures


@pytest.mark.slow
def test_motions_are_reproducible_after_reset(mujoco_body: MujocoBody, context_for: Contexts) -> None:
    first, second = played(mujoco_body, context_for), played(mujoco_body, context_for)
    assert np.array_equal(first, second)


@pytest.mark.slow
def test_motions_within_envelope_cause_no_objections(mujoco_body: MujocoBody, context_for: Contexts) -> None:
    context = context_for(mujoco_body)
    mujoco_body.move(PoseMotion(head_transform(yaw=0.4), (1.0, -1.0), duration=0.5), context)
    mujoco_body.move(NamedMotion(MoveLibrary.GESTURE, "nod"), context)
    for step in range(50):
        mujoco_body.stream(PoseMotion(head_transform(yaw=0.4 - 0.01 * step)))
        mujoco_body.wait(0.02)
    assert mujoco_body.objections() == ()
    assert mujoco_body.watch.violations == mujoco_body.watch.jumps == 0
    assert mujoco_body.watch.acceleration > 0.0


def test_rejected_streamed_posture_is_reported_as_objection(mujoco_body: MujocoBody) -> None:
    mujoco_body.stream(PoseMotion(head_transform(pitch=1.5)))
    mujoco_body.wait(0.1)
    assert any("head.pitch" in found for found in mujoco_body.objections())


def test_extended_duration_is_not_reported_as_objection(mujoco_body: MujocoBody, context_for: Contexts) -> None:
    result = mujoco_body.move(PoseMotion(head_transform(yaw=0.5), duration=0.05), context_for(mujoco_body))
    assert result.clamped == ("duration",)
    assert mujoco_body.objections() == ()


def test_body_that_does_not_follow_command_is_reported_as_objection(
    mujoco_body: MujocoBody, context_for: Contexts
) -> None:
    pushed = head_transform(yaw=0.5)
    mujoco_body.move(PoseMotion(pushed), context_for(mujoco_body))
    mujoco_body._robot._loaded().set_strength(0.0)  # sets the motor torque to zero
    mujoco_body.move(PoseMotion(head_transform(yaw=-0.5)), context_for(mujoco_body))
    assert mujoco_body.objections() != ()


def test_cancellation_from_another_thread_ends_motion(mujoco_body: MujocoBody, context_for: Contexts) -> None:
    context = context_for(mujoco_body, seconds=120.0)
    canceller = threading.Timer(0.05, context.cancel.cancel)
    canceller.start()
    result = mujoco_body.move(PoseMotion(head_transform(yaw=0.5), duration=100.0), context)
    canceller.join()
    assert result.error is not None
    assert result.error.code.name == "CANCELED"
    assert mujoco_body.now < 100.0


def test_reports_disconnected_robot_before_first_reset() -> None:
    mujoco_body = MujocoBody()
    with pytest.raises(Exception, match="ROBOT_DISCONNECTED"):
        mujoco_body.state()
    mujoco_body.close()


@pytest.mark.slow
def test_skipping_physics_at_rest_does_not_change_later_motions(
    mujoco_body: MujocoBody, context_for: Contexts, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[float] = []
    step = mujoco_body._step

    def counted() -> None:
        step()
        steps.append(mujoco_body.now)

    monkeypatch.setattr(mujoco_body, "_step", counted)
    began = mujoco_body.now
    for goal in (head_transform(yaw=0.3), head_transform(yaw=-0.3)):
        mujoco_body.wait(100.0)
        result = mujoco_body.move(PoseMotion(goal, duration=1.0), context_for(mujoco_body, 400.0))
        assert result.error is None
        assert angle_between(result.pose.head, goal) < math.radians(4.1)
    mujoco_body.stream(PoseMotion(head_transform()))
    mujoco_body.wait(2.0)
    assert mujoco_body.now - began == pytest.approx(204.0, abs=2.5)
    assert len(steps) < 3000  # instead of about 20,000 without skipping
    assert mujoco_body.objections() == ()
    assert (mujoco_body.watch.violations, mujoco_body.watch.jumps) == (0, 0)
