"""What the robot sees and where it may look, for rviz and Foxglove, while one of them watches."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from reachy_agent_msgs.msg import RobotState
from visualization_msgs.msg import Marker, MarkerArray

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.pose import Matrix
from reachy_agent_ros.ros.camera.head_listener import HeadListener
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD
from reachy_agent_ros.ros.vision.marker_messages import (
    face_marker,
    gaze_marker,
    limits_marker,
    marker_array,
    sighting_markers,
)
from reachy_agent_ros.vision.camera import Frame
from reachy_agent_ros.vision.eye import camera_pose
from reachy_agent_ros.vision.face_track import FaceTrack
from reachy_agent_ros.vision.localiser import Sighting

PERIOD = 0.2
"""s between two drawings."""

RECENT = 1.0
"""s after which what was seen is no longer drawn."""


class MarkerPublisher:
    """Draws what the others tell it. They may do so from any thread; the rest happens in the executor's.

    Args:
        node: Publishes.
        heads: Where the head is.
    """

    def __init__(self, node: AgentNode, heads: HeadListener) -> None:
        self._node = node
        self._heads = heads
        self._sightings: tuple[float, Sequence[Sighting], Matrix] | None = None
        self._face: tuple[float, FaceTrack] | None = None
        self._body_yaw = 0.0
        self._state: Any = None
        self._markers = node.create_publisher(MarkerArray, names.MARKERS, STANDARD)
        node.every(PERIOD, self._publish)

    @property
    def wanted(self) -> bool:
        """Whether anybody watches."""
        return bool(self._markers.get_subscription_count() > 0)

    def show_sightings(self, frame: Frame, sightings: Sequence[Sighting]) -> None:
        """Takes down what was found in a picture."""
        self._sightings = time.monotonic(), sightings, camera_pose(frame.head)

    def show_face(self, face: FaceTrack) -> None:
        """Takes down which face the robot attends to."""
        self._face = time.monotonic(), face

    def _publish(self) -> None:
        if not self.wanted:
            if self._state is not None:
                self._node.destroy_subscription(self._state)
                self._state = None
            return
        self._heads.need()
        if self._state is None:
            self._state = self._node.create_subscription(RobotState, names.ROBOT_STATE, self._remember, LATCHED)
        self._markers.publish(marker_array(self._drawn()))

    def _remember(self, state: RobotState) -> None:
        self._body_yaw = state.body_yaw

    def _drawn(self) -> Iterator[Marker]:
        base, head_base = self._node.header(names.BASE_FRAME), self._node.header(names.HEAD_BASE_FRAME)
        yield limits_marker(head_base, self._body_yaw)
        try:
            yield gaze_marker(base, camera_pose(self._heads.history.newest(0.0, 0.0)[1]))
        except AgentError:
            return  # a robot that is not there looks nowhere and sees nothing
        oldest = time.monotonic() - RECENT
        if self._sightings is not None and self._sightings[0] >= oldest:
            yield from sighting_markers(base, *self._sightings[1:])
        if self._face is not None and self._face[0] >= oldest:
            yield face_marker(head_base, self._face[1].position)
