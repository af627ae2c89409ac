"""The tasks that policies are trained on; a policy is judged by the test ranges of their parameters."""

from __future__ import annotations

import math

from reachy_agent_ros.learning.environments import gaze_courses as gaze
from reachy_agent_ros.learning.environments import gesture_courses as gesture
from reachy_agent_ros.learning.environments.channel import Channel
from reachy_agent_ros.learning.environments.contextual_task import ContextualTask
from reachy_agent_ros.learning.environments.parameter import Parameter
from reachy_agent_ros.learning.environments.style import STYLE
from reachy_agent_ros.learning.environments.tool_choice import TOOL_CHOICE
from reachy_agent_ros.learning.environments.tracking_task import TrackingTask

GAZE = (Channel.PITCH, Channel.YAW)
PRECISE = math.radians(3.0)
MOVING = math.radians(5.0)
_SPECIFICATION = "the project's specification, phase 3"
SUITE = "our own, in the spirit of Meta-World's parametrised tasks (Yu et al. 2019)"

POINT = (
    Parameter("azimuth", "rad", (-0.9, 0.5), (0.5, 0.8)),
    Parameter("elevation", "rad", (-0.4, 0.15), (0.15, 0.3)),
    Parameter("distance", "m", (0.4, 1.2), (1.2, 2.0)),
)
_SWING = (
    Parameter("amplitude", "rad", (0.15, 0.25), (0.25, 0.32)),
    Parameter("tempo", "Hz", (0.6, 1.1), (1.1, 1.4)),
)
WANDER = (Parameter("speed", "rad/s", (0.2, 0.6), (0.6, 0.9)), Parameter("phase", "rad", (-3.1, 1.5), (1.5, 3.1)))

LOOK_AT = TrackingTask(
    "look_at", "Look at a point.", POINT, GAZE, gaze.look_at, 30, PRECISE, f"{_SPECIFICATION}: look at the apple"
)

TRAINING: tuple[TrackingTask | ContextualTask, ...] = (
    LOOK_AT,
    TrackingTask(
        "look_at_biased",
        "Look at a point with a camera that sees everything beside where it is, while a person says where to.",
        (
            *POINT,
            Parameter("bias_pitch", "rad", (-0.2, 0.1), (0.1, 0.15)),
            Parameter("bias_yaw", "rad", (-0.2, 0.1), (0.1, 0.15)),
        ),
        GAZE,
        gaze.look_at,
        60,
        PRECISE,
        f"{_SPECIFICATION}: too far down, a bit up, perfect",
        biased=True,
    ),
    TrackingTask(
        "track_moving_target", "Keep looking at a target that moves.", WANDER, GAZE, gaze.track, 80, MOVING, SUITE
    ),
    TrackingTask("nod", "Nod so far and so fast.", _SWING, (Channel.PITCH,), gesture.swing, 60, MOVING, _SPECIFICATION),
    TrackingTask(
        "shake",
        "Shake the head so far and so fast.",
        _SWING,
        (Channel.YAW,),
        gesture.swing,
        60,
        MOVING,
        _SPECIFICATION,
    ),
    TrackingTask(
        "head_tilt",
        "Tilt the head, hold it, and come back.",
        (Parameter("roll", "rad", (0.2, 0.35), (0.35, 0.45)), Parameter("hold", "s", (0.5, 1.2), (1.2, 1.6))),
        (Channel.ROLL,),
        gesture.tilt,
        60,
        PRECISE,
        SUITE,
    ),
    TrackingTask(
        "antenna_gesture",
        "Swing the antennas so far, the left one so much ahead.",
        (Parameter("amplitude", "rad", (0.4, 0.8), (0.8, 1.0)), Parameter("phase", "rad", (-2.0, 1.0), (1.0, 2.5))),
        (Channel.ANTENNA_RIGHT, Channel.ANTENNA_LEFT),
        gesture.antennas,
        60,
        math.radians(10.0),
        SUITE,
    ),
    TrackingTask(
        "saccade_sequence",
        "Look at one point after another, a second each.",
        (
            Parameter("targets", "1", (2.0, 4.0), (4.0, 5.0)),
            Parameter("spread", "rad", (0.25, 0.45), (0.45, 0.6)),
            Parameter("start", "rad", (-3.1, 1.5), (1.5, 3.1)),
        ),
        GAZE,
        gaze.saccades,
        80,
        PRECISE,
        SUITE,
    ),
    TrackingTask(
        "body_yaw_turn",
        "Turn the body while the head stays where it looks.",
        (Parameter("turn", "rad", (0.3, 0.7), (0.7, 0.9)), Parameter("duration", "s", (1.0, 1.6), (0.8, 1.0))),
        (Channel.YAW, Channel.BODY_YAW),
        gesture.body_turn,
        50,
        MOVING,
        SUITE,
    ),
    TrackingTask(
        "gaze_hold",
        "Look at a point, also when a hand leans on the head.",
        (
            *POINT,
            Parameter("push_pitch", "N m", (-0.3, 0.15), (0.15, 0.3)),
            Parameter("push_yaw", "N m", (-0.3, 0.15), (0.15, 0.3)),
            Parameter("push_time", "s", (0.6, 1.2), (0.3, 0.6)),
        ),
        GAZE,
        gaze.hold_gaze,
        50,
        math.radians(2.0),
        SUITE,
        pushed=True,
    ),
    STYLE,
    TOOL_CHOICE,
)
