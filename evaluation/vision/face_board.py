"""Movable photograph of a face in front of the simulated camera."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from geometry_msgs.msg import Point, Pose, PoseStamped, Quaternion
from PIL import Image
from rclpy.node import Node
from std_msgs.msg import Header

from evaluation.vision.photographs import portraits
from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.ros.rclpy_ext.convert import wall_stamp
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD

DISTANCE = 0.6  # m from the robot's vertical axis
HEIGHT = 0.3  # m above its base
PATIENCE = 10.0  # s for the camera to be found


@contextmanager
def face_argument() -> Iterator[str]:
    """Yields the launch argument that adds a panel with a face to the simulation."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "face.png")
        Image.fromarray(portraits()[0].close_up().image).save(file)
        yield f"panel_image:={file}"


class FaceBoard:
    """Movable photograph of a face. The constructor waits until the camera node has been discovered.

    Args:
        node: Publishing node, spun by another thread.
    """

    def __init__(self, node: Node) -> None:
        self._poses = node.create_publisher(PoseStamped, names.PANEL_POSE, STANDARD)
        patience = Deadline(PATIENCE)
        while self._poses.get_subscription_count() == 0:
            assert not patience.passed, "no camera takes the photograph"
            time.sleep(0.02)

    def show(self, azimuth: float, height: float = HEIGHT) -> None:
        """Shows the photograph at an azimuth (rad, positive to the left) and a height (m), facing the robot."""
        facing = azimuth + math.pi
        self._put(
            Point(x=DISTANCE * math.cos(azimuth), y=DISTANCE * math.sin(azimuth), z=height),
            Quaternion(z=math.sin(facing / 2.0), w=math.cos(facing / 2.0)),
        )

    def take_away(self) -> None:
        """Hides the photograph under the table."""
        self._put(Point(z=-1.0), Quaternion(w=1.0))

    def _put(self, place: Point, turn: Quaternion) -> None:
        header = Header(stamp=wall_stamp(), frame_id=names.BASE_FRAME)
        self._poses.publish(PoseStamped(header=header, pose=Pose(position=place, orientation=turn)))
