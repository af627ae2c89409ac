"""Recorded demonstrations of a nod, with messages in the format of the hardware bridge."""

import math
import time
import uuid
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from reachy_agent_ros.core import names
from reachy_agent_ros.core.pose import BodyPose, Vector, quaternion_from_matrix
from reachy_agent_ros.learning.demonstrations.channels import type_of, typestore
from reachy_agent_ros.learning.demonstrations.demonstration import Demonstration, Method
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.learning.demonstrations.recording import DemonstrationRecorder
from reachy_agent_ros.robot.coordinates import posture

GOAL = uuid.UUID(int=7)
PICTURE = b"\xff\xd8 a picture \xff\xd9"


class Clock:
    """Clock in nanoseconds that only the test advances."""

    def __init__(self) -> None:
        self.now = 1_700_000_000 * 10**9

    def __call__(self) -> int:
        return self.now


def cdr(channel: str, **fields: object) -> bytes:
    """Returns a ROS message serialized as CDR."""
    kind = typestore().types[type_of(channel)]
    return bytes(typestore().serialize_cdr(kind(**fields), type_of(channel)))


def header(frame: str = "") -> object:
    types = typestore().types
    return types["std_msgs/msg/Header"](stamp=types["builtin_interfaces/msg/Time"](sec=0, nanosec=0), frame_id=frame)


def state_messages(pose: BodyPose) -> dict[str, bytes]:
    types = typestore().types
    x, y, z, w = (float(number) for number in quaternion_from_matrix(pose.head))
    place = types["geometry_msgs/msg/Point"](*(float(number) for number in pose.head[:3, 3]))
    turn = types["geometry_msgs/msg/Quaternion"](x, y, z, w)
    joints = np.array([pose.body_yaw, -pose.antenna_right, -pose.antenna_left])
    return {
        names.JOINT_STATES: cdr(
            names.JOINT_STATES,
            header=header(),
            name=["yaw_body", "right_antenna", "left_antenna"],
            position=joints,
            velocity=np.zeros(0),
            effort=np.zeros(0),
        ),
        names.HEAD_POSE: cdr(
            names.HEAD_POSE,
            header=header("head_base"),
            pose=types["geometry_msgs/msg/Pose"](position=place, orientation=turn),
        ),
    }


def image() -> bytes:
    return cdr(names.IMAGE, header=header("camera"), format="jpeg", data=np.frombuffer(PICTURE, dtype=np.uint8))


def nod(seconds: float = 2.0, degrees: float = 15.0, rate: float = 50.0) -> list[Vector]:
    """Returns the coordinates of a nod during which the body turns and an antenna moves."""
    moments = np.arange(seconds * rate + 1) / rate
    rows = np.zeros((len(moments), 9))
    swing = np.sin(math.pi * moments / seconds) ** 2
    rows[:, 4], rows[:, 6], rows[:, 7] = math.radians(degrees) * swing, 0.2 * swing, 0.5 * swing
    return list(rows)


def push_all(recorder: DemonstrationRecorder, clock: Clock, rows: Iterable[Vector], rate: float = 50.0) -> None:
    for number, row in enumerate(rows):
        for channel, message in state_messages(posture(row)).items():
            recorder.push(channel, message)
        if number % 10 == 0:
            recorder.push(names.IMAGE, image())
        clock.now += int(1e9 / rate)


def begun(
    folder: Path, clock: Clock | None = None, skill: str = "nod", prompt: str = "nod like this"
) -> DemonstrationRecorder:
    folder.mkdir(parents=True, exist_ok=True)
    identifier = str(uuid.uuid4())
    about = Demonstration(
        identifier, skill, prompt, Method.HAND, "Ada", GOAL, clock.now / 1e9 if clock else time.time()
    )
    return DemonstrationRecorder(folder / identifier, about, names.NAMESPACE, clock=clock)


def recorded(demonstrations: Demonstrations, rows: Iterable[Vector] | None = None, later: float = 0.0) -> Demonstration:
    """Records a demonstration.

    It begins `later` seconds after the default start time.
    """
    clock = Clock()
    clock.now += int(later * 1e9)
    recorder = begun(demonstrations.folder, clock)
    push_all(recorder, clock, nod() if rows is None else rows)
    return recorder.finish()
