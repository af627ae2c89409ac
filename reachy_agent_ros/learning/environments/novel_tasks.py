"""Tasks that are held out: nothing may be trained on them, they tell what a policy makes of what it has never done."""

from __future__ import annotations

from dataclasses import replace

from reachy_agent_ros.learning.environments import gaze_courses as gaze
from reachy_agent_ros.learning.environments import gesture_courses as gesture
from reachy_agent_ros.learning.environments.channel import Channel
from reachy_agent_ros.learning.environments.joint_task import JointTask
from reachy_agent_ros.learning.environments.parameter import Parameter
from reachy_agent_ros.learning.environments.style import STYLE
from reachy_agent_ros.learning.environments.tasks import GAZE, LOOK_AT, MOVING, PRECISE, SUITE, WANDER
from reachy_agent_ros.learning.environments.tracking_task import TrackingTask
from reachy_agent_ros.learning.environments.variation import Randomisation

NOVEL: tuple[TrackingTask | JointTask, ...] = (
    TrackingTask(
        "look_behind",
        "Look at a point that only a turn of the body brings into view.",
        (
            Parameter("azimuth", "rad", (1.4, 2.2), (2.2, 2.6)),
            Parameter("elevation", "rad", (-0.2, 0.15), (0.15, 0.25)),
            Parameter("distance", "m", (0.4, 1.2), (1.2, 2.0)),
        ),
        (*GAZE, Channel.BODY_YAW),
        gaze.look_behind,
        50,
        PRECISE,
        SUITE,
        free=(Channel.BODY_YAW,),
        novel=True,
    ),
    TrackingTask(
        "figure_eight",
        "Follow a lying eight with the gaze.",
        (Parameter("size", "rad", (0.25, 0.4), (0.4, 0.5)), Parameter("tempo", "Hz", (0.2, 0.4), (0.4, 0.5))),
        GAZE,
        gaze.figure_eight,
        100,
        MOVING,
        SUITE,
        novel=True,
    ),
    TrackingTask(
        "nod_while_tracking",
        "Nod without losing a target that moves.",
        (
            *WANDER,
            Parameter("amplitude", "rad", (0.15, 0.2), (0.2, 0.25)),
            Parameter("tempo", "Hz", (0.6, 0.9), (0.9, 1.1)),
        ),
        GAZE,
        gaze.nod_while_tracking,
        80,
        MOVING,
        SUITE,
        novel=True,
    ),
    TrackingTask(
        "curtsey",
        "Lower the head and bow, and come up again.",
        (Parameter("depth", "m", (0.015, 0.025), (0.025, 0.03)), Parameter("pitch", "rad", (0.1, 0.25), (0.25, 0.3))),
        (Channel.Z, Channel.PITCH),
        gesture.curtsey,
        50,
        MOVING,
        SUITE,
        novel=True,
    ),
    JointTask(
        "look_and_style",
        "Look at a point and speak to who is there as suits them.",
        LOOK_AT,
        STYLE,
        SUITE,
        novel=True,
    ),
    replace(
        LOOK_AT,
        name="payload",
        description="Look at a point with a head a fifth heavier and motors a fifth weaker than the model's.",
        novel=True,
        randomisation=Randomisation(strength=(0.8, 0.8), head_mass=(1.2, 1.2)),
    ),
)
