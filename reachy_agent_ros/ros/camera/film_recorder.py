"""Recording of the simulated robot's motion, camera, answers and sound for a film."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

import numpy as np
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from reachy_agent_msgs.msg import AudioChunk, Reply, SceneObjects
from sensor_msgs.msg import CompressedImage, JointState

from reachy_agent_ros.audio.sound_track import SoundTrack
from reachy_agent_ros.core import names
from reachy_agent_ros.core.pose import Matrix
from reachy_agent_ros.ros.rclpy_ext.convert import transform_from_pose
from reachy_agent_ros.ros.rclpy_ext.qos import AUDIO, SENSOR, STANDARD
from reachy_agent_ros.vision.film import FilmFrame
from reachy_agent_ros.vision.image_file import decode_image

PERIOD = 0.1
"""Period of recording, s."""

SOUND_RATE = 24_000
"""Sample rate of the sound, Hz."""


class FilmRecorder:
    """Records the robot for a film, from the creation of this object until `close`.

    Args:
        node: Node in the graph's namespace, spun by another thread.

    Attributes:
        sound: Sound that the robot hears and plays.
    """

    def __init__(self, node: Node) -> None:
        self.sound = SoundTrack(SOUND_RATE)
        self._caption = self._answer = ""
        self._lock = threading.Lock()
        self._start = time.monotonic()
        self._joints: dict[str, float] = {}
        self._objects: dict[str, Matrix] = {}
        self._eye: bytes | None = None
        self._moments: list[tuple[float, dict[str, float], dict[str, Matrix], bytes | None, str, str]] = []
        self._node = node
        self._subscriptions = [
            node.create_subscription(JointState, names.JOINT_STATES, self._take_joints, STANDARD),
            node.create_subscription(SceneObjects, names.SCENE_OBJECTS, self._take_objects, SENSOR),
            node.create_subscription(CompressedImage, names.IMAGE, self._take_image, SENSOR),
            node.create_subscription(Reply, names.REPLY, self._take_reply, STANDARD),
            node.create_subscription(AudioChunk, names.AUDIO_CAPTURE, self._take_sound, AUDIO),
            node.create_subscription(AudioChunk, names.AUDIO_PLAYBACK, self._take_sound, AUDIO),
        ]
        self._timer = node.create_timer(PERIOD, self._record, clock=Clock(clock_type=ClockType.STEADY_TIME))

    @property
    def elapsed(self) -> float:
        """Time since the start of the recording (s)."""
        return time.monotonic() - self._start

    def entitle(self, caption: str) -> None:
        """Sets the caption of the following frames, and clears the displayed answer."""
        self._caption, self._answer = caption, ""

    def moments(self) -> Sequence[FilmFrame]:
        """Returns all recorded frames."""
        with self._lock:
            recorded = list(self._moments)
        return [
            FilmFrame(at, joints, objects, None if eye is None else decode_image(eye), caption, answer)
            for at, joints, objects, eye, caption, answer in recorded
        ]

    def close(self) -> None:
        """Ends the recording, and keeps the recorded frames and sound."""
        self._node.destroy_timer(self._timer)
        for subscription in self._subscriptions:
            self._node.destroy_subscription(subscription)

    def _take_joints(self, message: JointState) -> None:
        self._joints = dict(zip(message.name, message.position, strict=True))

    def _take_objects(self, message: SceneObjects) -> None:
        poses = (transform_from_pose(pose) for pose in message.poses)
        self._objects = dict(zip(message.names, poses, strict=True))

    def _take_image(self, message: CompressedImage) -> None:
        self._eye = bytes(message.data)

    def _take_reply(self, message: Reply) -> None:
        if message.is_final:
            self._answer = message.text

    def _take_sound(self, message: AudioChunk) -> None:
        samples = np.asarray(message.data, np.int16)
        self.sound.add(message.stream, self.elapsed, samples, message.sample_rate, message.channels)

    def _record(self) -> None:
        if self._joints:
            with self._lock:
                self._moments.append(
                    (self.elapsed, self._joints, self._objects, self._eye, self._caption, self._answer)
                )
