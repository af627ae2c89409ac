"""Tests that no sequence of events makes the position or the velocity of the robot's command jump."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.motion.breathing import Breath
from reachy_agent_ros.motion.offset import Offset
from reachy_agent_ros.motion.request import Gaze, Library, Named
from reachy_agent_ros.robot.coordinates import coordinates
from reachy_agent_ros.robot.kinematics import BodyKinematics
from reachy_agent_ros.robot.pose_limits import ACCELERATION, HIGH, LOW, SPEED
from reachy_agent_ros.robot.protocol import MotorMode
from reachy_agent_ros.robot.target_validation import Target
from support.cases import share_of_examples
from support.robot.rig import PERIOD, Rig

EAGER = Breath(pause=0.05)
"""Breathing that starts after an idle pause of only 0.05 s."""

KINEMATICS = BodyKinematics()

angles = st.floats(-0.6, 0.6)
antennas = st.tuples(st.floats(-3.0, 3.0), st.floats(-3.0, 3.0))
heads = st.builds(head_transform, angles, angles, st.floats(-1.5, 1.5), z=st.floats(-0.02, 0.02))
targets = st.builds(Target, st.none() | heads, antennas, st.none() | st.floats(-2.0, 2.0))
wishes = st.one_of(
    targets,
    st.sampled_from(
        [Named(Library.DANCE, "simple_nod"), Named(Library.EMOTION, "joy"), Named(Library.EMOTION, "surprise")]
    ),
    st.builds(lambda y, z: Gaze(np.array([0.5, y, z]), "base_link"), st.floats(-1.0, 1.0), st.floats(0.0, 0.6)),
)
offsets = st.builds(
    lambda turn, shift, right: Offset(np.array([0.0, 0.0, shift]), np.array(turn), right),
    st.tuples(angles, angles, angles).map(lambda turn: tuple(0.5 * angle for angle in turn)),
    *(st.floats(-0.02, 0.02), st.floats(-0.5, 0.5)),
)


def play(wish: Target | Gaze | Named, duration: float) -> Callable[[Rig], None]:
    def act(rig: Rig) -> None:
        with suppress(AgentError):  # a rejected request is allowed
            rig.play(wish, duration=duration)

    return act


actions = st.one_of(
    st.builds(play, wishes, st.sampled_from([0.0, 0.0, 0.5, 2.0])),
    st.builds(lambda target: lambda rig: rig.stream(target, "tools"), targets),
    st.builds(
        lambda source, layer: lambda rig: rig.controller.offset(source, layer, rig.now), st.integers(0, 2), offsets
    ),
    st.builds(lambda on: lambda rig: rig.controller.listen(on, rig.now), st.booleans()),
    st.builds(lambda on: lambda rig: rig.controller.think(on), st.booleans()),
    st.sampled_from(
        [
            lambda rig: None,
            lambda rig: rig.controller.hold(),
            lambda rig: rig.controller.stop("test"),
            lambda rig: rig.controller.release(),
            lambda rig: setattr(rig, "mode", MotorMode.DISABLED),
            lambda rig: setattr(rig, "mode", MotorMode.ENABLED),
            lambda rig: setattr(rig, "mode", MotorMode.ENABLED) or rig.controller.release(),
        ]
    ),
)
schedules = st.lists(st.tuples(actions, st.integers(1, 60)), min_size=3, max_size=25)


@pytest.mark.slow
@settings(max_examples=share_of_examples(0.8))
@given(schedules)
def test_command_is_continuous_for_any_sequence_of_events(schedule: list[tuple[Callable[[Rig], None], int]]) -> None:
    rig = Rig(EAGER)
    position, velocity = coordinates(rig.pose), rig.controller.gate.state.velocity  # the robot is already breathing
    for act, turns in schedule:
        act(rig)
        for _ in range(turns):
            rig.turn()
            now_at = coordinates(rig.pose)
            speed = (now_at - position) / PERIOD
            held = rig.mode is not MotorMode.ENABLED or rig.controller.gate.stop_reason is not None
            assert np.isfinite(now_at).all()
            assert ((now_at >= LOW - 1e-9) & (now_at <= HIGH + 1e-9)).all()
            assert KINEMATICS.reaches(rig.pose)
            assert (np.abs(speed) <= SPEED + 1e-6).all()
            # An emergency stop and the release of the motors end all motion at once, by design.
            assert held or (np.abs(speed - velocity) <= ACCELERATION * PERIOD + 1e-6).all()
            assert not held or np.allclose(speed, 0.0, atol=1e-6)
            position, velocity = now_at, speed
