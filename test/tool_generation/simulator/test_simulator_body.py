from __future__ import annotations

import math
import threading
from collections.abc import Callable

import numpy as np
import pytest

from reachy_agent_ros.core.pose import Vector, angle_between, head_transform
from reachy_agent_ros.robot.coordinates import coordinates
from reachy_agent_ros.tool_generation.simulator.simulator_body import SimulatorBody
from reachy_agent_ros.tools.body import MoveLibrary, NamedMotion, PoseMotion
from reachy_agent_ros.tools.context import ToolContext

Contexts = Callable[..., ToolContext]


def played(twin: SimulatorBody, context_for: Contexts) -> list[Vector]:
    twin.reset()
    context = context_for(twin)
    postures = []
    for yaw in (0.4, -0.2):
        postures.append(coordinates(twin.move(PoseMotion(head_transform(yaw=yaw)), context).pose))
        twin.wait(0.1)
    return postures


@pytest.mark.slow
def test_the_same_motions_after_a_reset_are_the_same_to_the_last_bit(
    twin: SimulatorBody, context_for: Contexts
) -> None:
    first, second = played(twin, context_for), played(twin, context_for)
    assert np.array_equal(first, second)


@pytest.mark.slow
def test_nothing_speaks_against_motions_within_the_envelope(twin: SimulatorBody, context_for: Contexts) -> None:
    context = context_for(twin)
    twin.move(PoseMotion(head_transform(yaw=0.4), (1.0, -1.0), duration=0.5), context)
    twin.move(NamedMotion(MoveLibrary.GESTURE, "nod"), context)
    for step in range(50):
        twin.stream(PoseMotion(head_transform(yaw=0.4 - 0.01 * step)))
        twin.wait(0.02)
    assert twin.objections() == ()
    assert twin.watch.violations == twin.watch.jumps == 0
    assert twin.watch.acceleration > 0.0


def test_a_streamed_posture_that_the_gate_refuses_is_an_objection(twin: SimulatorBody) -> None:
    twin.stream(PoseMotion(head_transform(pitch=1.5)))
    twin.wait(0.1)
    assert any("head.pitch" in found for found in twin.objections())


def test_a_motion_that_takes_longer_than_asked_is_none(twin: SimulatorBody, context_for: Contexts) -> None:
    result = twin.move(PoseMotion(head_transform(yaw=0.5), duration=0.05), context_for(twin))
    assert result.clamped == ("duration",)
    assert twin.objections() == ()


def test_a_body_that_does_not_follow_is_an_objection(twin: SimulatorBody, context_for: Contexts) -> None:
    pushed = head_transform(yaw=0.5)
    twin.move(PoseMotion(pushed), context_for(twin))
    twin._robot._loaded().set_strength(0.0)  # a motor that has died
    twin.move(PoseMotion(head_transform(yaw=-0.5)), context_for(twin))
    assert twin.objections() != ()


def test_a_cancel_from_elsewhere_ends_a_motion(twin: SimulatorBody, context_for: Contexts) -> None:
    context = context_for(twin, seconds=120.0)
    canceller = threading.Timer(0.05, context.cancel.cancel)
    canceller.start()
    result = twin.move(PoseMotion(head_transform(yaw=0.5), duration=100.0), context)
    canceller.join()
    assert result.error is not None
    assert result.error.code.name == "CANCELED"
    assert twin.now < 100.0


def test_before_the_first_reset_it_says_that_it_is_not_loaded() -> None:
    twin = SimulatorBody()
    with pytest.raises(Exception, match="ROBOT_DISCONNECTED"):
        twin.state()
    twin.close()


@pytest.mark.slow
def test_rest_is_not_computed_and_what_follows_is_as_ever(
    twin: SimulatorBody, context_for: Contexts, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[float] = []
    step = twin._step

    def counted() -> None:
        step()
        steps.append(twin.now)

    monkeypatch.setattr(twin, "_step", counted)
    began = twin.now
    for goal in (head_transform(yaw=0.3), head_transform(yaw=-0.3)):
        twin.wait(100.0)
        result = twin.move(PoseMotion(goal, duration=1.0), context_for(twin, 400.0))
        assert result.error is None
        assert angle_between(result.pose.head, goal) < math.radians(4.1)
    twin.stream(PoseMotion(head_transform()))
    twin.wait(2.0)
    assert twin.now - began == pytest.approx(204.0, abs=2.5)
    assert len(steps) < 3000  # of some 20,000
    assert twin.objections() == ()
    assert (twin.watch.violations, twin.watch.jumps) == (0, 0)
