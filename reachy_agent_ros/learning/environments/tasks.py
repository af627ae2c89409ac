"""Task suite: training tasks and held-out tasks.

Policies are evaluated on the test ranges of the parameters. Held-out tasks must not be used for training: they measure
generalization to new tasks.
"""

from __future__ import annotations

import math
from dataclasses import replace

from reachy_agent_ros.learning.environments import courses
from reachy_agent_ros.learning.environments.contextual_tasks import STYLE, TOOL_CHOICE, ContextualTask, JointTask
from reachy_agent_ros.learning.environments.randomization import Randomization
from reachy_agent_ros.learning.environments.specification import PostureChannel, RandomParameter
from reachy_agent_ros.learning.environments.tracking_task import TrackingTask

_GAZE = (PostureChannel.PITCH, PostureChannel.YAW)
_PRECISE = math.radians(3.0)
_MOVING = math.radians(5.0)
_SPECIFICATION = "the project's specification, phase 3"
_SUITE = "our own, in the spirit of Meta-World's parametrised tasks (Yu et al. 2019)"

_POINT = (
    RandomParameter("azimuth", "rad", (-0.9, 0.5), (0.5, 0.8)),
    RandomParameter("elevation", "rad", (-0.4, 0.15), (0.15, 0.3)),
    RandomParameter("distance", "m", (0.4, 1.2), (1.2, 2.0)),
)

_SWING = (
    RandomParameter("amplitude", "rad", (0.15, 0.25), (0.25, 0.32)),
    RandomParameter("tempo", "Hz", (0.6, 1.1), (1.1, 1.4)),
)

_WANDER = (
    RandomParameter("speed", "rad/s", (0.2, 0.6), (0.6, 0.9)),
    RandomParameter("phase", "rad", (-3.1, 1.5), (1.5, 3.1)),
)

_LOOK_AT = TrackingTask(
    "look_at", "Look at a point.", _POINT, _GAZE, courses.look_at, 30, _PRECISE, f"{_SPECIFICATION}: look at the apple"
)

TRAINING: tuple[TrackingTask | ContextualTask, ...] = (
    _LOOK_AT,
    TrackingTask(
        "look_at_biased",
        "Look at a point with a miscalibrated camera, while a person gives spoken corrections.",
        (
            *_POINT,
            RandomParameter("bias_pitch", "rad", (-0.2, 0.1), (0.1, 0.15)),
            RandomParameter("bias_yaw", "rad", (-0.2, 0.1), (0.1, 0.15)),
        ),
        _GAZE,
        courses.look_at,
        60,
        _PRECISE,
        f"{_SPECIFICATION}: too far down, a bit up, perfect",
        biased=True,
    ),
    TrackingTask(
        "track_moving_target",
        "Keep looking at a target that moves.",
        _WANDER,
        _GAZE,
        courses.track,
        80,
        _MOVING,
        _SUITE,
    ),
    TrackingTask(
        "nod",
        "Nod with a given size and tempo.",
        _SWING,
        (PostureChannel.PITCH,),
        courses.swing,
        60,
        _MOVING,
        _SPECIFICATION,
    ),
    TrackingTask(
        "shake",
        "Shake the head with a given size and tempo.",
        _SWING,
        (PostureChannel.YAW,),
        courses.swing,
        60,
        _MOVING,
        _SPECIFICATION,
    ),
    TrackingTask(
        "head_tilt",
        "Tilt the head, hold it, and come back.",
        (
            RandomParameter("roll", "rad", (0.2, 0.35), (0.35, 0.45)),
            RandomParameter("hold", "s", (0.5, 1.2), (1.2, 1.6)),
        ),
        (PostureChannel.ROLL,),
        courses.tilt,
        60,
        _PRECISE,
        _SUITE,
    ),
    TrackingTask(
        "antenna_gesture",
        "Swing both antennas with a given amplitude and phase difference.",
        (
            RandomParameter("amplitude", "rad", (0.4, 0.8), (0.8, 1.0)),
            RandomParameter("phase", "rad", (-2.0, 1.0), (1.0, 2.5)),
        ),
        (PostureChannel.ANTENNA_RIGHT, PostureChannel.ANTENNA_LEFT),
        courses.antennas,
        60,
        math.radians(10.0),
        _SUITE,
    ),
    TrackingTask(
        "saccade_sequence",
        "Look at several points, each for one second.",
        (
            RandomParameter("targets", "1", (2.0, 4.0), (4.0, 5.0)),
            RandomParameter("spread", "rad", (0.25, 0.45), (0.45, 0.6)),
            RandomParameter("start", "rad", (-3.1, 1.5), (1.5, 3.1)),
        ),
        _GAZE,
        courses.saccades,
        80,
        _PRECISE,
        _SUITE,
    ),
    TrackingTask(
        "body_yaw_turn",
        "Turn the body while the head keeps its direction.",
        (
            RandomParameter("turn", "rad", (0.3, 0.7), (0.7, 0.9)),
            RandomParameter("duration", "s", (1.0, 1.6), (0.8, 1.0)),
        ),
        (PostureChannel.YAW, PostureChannel.BODY_YAW),
        courses.body_turn,
        50,
        _MOVING,
        _SUITE,
    ),
    TrackingTask(
        "gaze_hold",
        "Keep looking at a point while a hand pushes the head.",
        (
            *_POINT,
            RandomParameter("push_pitch", "N m", (-0.3, 0.15), (0.15, 0.3)),
            RandomParameter("push_yaw", "N m", (-0.3, 0.15), (0.15, 0.3)),
            RandomParameter("push_time", "s", (0.6, 1.2), (0.3, 0.6)),
        ),
        _GAZE,
        courses.hold_gaze,
        50,
        math.radians(2.0),
        _SUITE,
        pushed=True,
    ),
    STYLE,
    TOOL_CHOICE,
)

NOVEL: tuple[TrackingTask | JointTask, ...] = (
    TrackingTask(
        "look_behind",
        "Look at a point that only a turn of the body brings into view.",
        (
            RandomParameter("azimuth", "rad", (1.4, 2.2), (2.2, 2.6)),
            RandomParameter("elevation", "rad", (-0.2, 0.15), (0.15, 0.25)),
            RandomParameter("distance", "m", (0.4, 1.2), (1.2, 2.0)),
        ),
        (*_GAZE, PostureChannel.BODY_YAW),
        courses.look_behind,
        50,
        _PRECISE,
        _SUITE,
        free=(PostureChannel.BODY_YAW,),
        novel=True,
    ),
    TrackingTask(
        "figure_eight",
        "Follow a horizontal figure eight with the gaze.",
        (
            RandomParameter("size", "rad", (0.25, 0.4), (0.4, 0.5)),
            RandomParameter("tempo", "Hz", (0.2, 0.4), (0.4, 0.5)),
        ),
        _GAZE,
        courses.figure_eight,
        100,
        _MOVING,
        _SUITE,
        novel=True,
    ),
    TrackingTask(
        "nod_while_tracking",
        "Nod without losing sight of a moving target.",
        (
            *_WANDER,
            RandomParameter("amplitude", "rad", (0.15, 0.2), (0.2, 0.25)),
            RandomParameter("tempo", "Hz", (0.6, 0.9), (0.9, 1.1)),
        ),
        _GAZE,
        courses.nod_while_tracking,
        80,
        _MOVING,
        _SUITE,
        novel=True,
    ),
    TrackingTask(
        "curtsey",
        "Lower the head, bow, and come up again.",
        (
            RandomParameter("depth", "m", (0.015, 0.025), (0.025, 0.03)),
            RandomParameter("pitch", "rad", (0.1, 0.25), (0.25, 0.3)),
        ),
        (PostureChannel.Z, PostureChannel.PITCH),
        courses.curtsey,
        50,
        _MOVING,
        _SUITE,
        novel=True,
    ),
    JointTask(
        "look_and_style",
        "Look at a point and speak to the person there in a suitable way.",
        _LOOK_AT,
        STYLE,
        _SUITE,
        novel=True,
    ),
    replace(
        _LOOK_AT,
        name="payload",
        description="Look at a point with a head that is 20 % heavier and motors that are 20 % weaker than modeled.",
        novel=True,
        randomization=Randomization(strength=(0.8, 0.8), head_mass=(1.2, 1.2)),
    ),
)
