"""The vision node's objects: finds them in the pictures, and where they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from reachy_agent_msgs.msg import DetectionArray

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.pace import Pace
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD
from reachy_agent_ros.ros.rclpy_ext.worker import Worker
from reachy_agent_ros.ros.vision.marker_publisher import MarkerPublisher
from reachy_agent_ros.ros.vision.vision_messages import detections_message
from reachy_agent_ros.vision.camera import Frame
from reachy_agent_ros.vision.detection import Detection, Detector
from reachy_agent_ros.vision.eye import camera_pose
from reachy_agent_ros.vision.localiser import Sighting, locate
from reachy_agent_ros.vision.mounting import Mounting


class ObjectWatch:
    """Works in a thread of its own, which alone touches the detector.

    Args:
        node: Publishes.
        load: Makes the detector.
        rate: Pictures a second that are looked at, at most, Hz.
        markers: Draws what is found.
        mounting: How the eye sits in the head.

    Attributes:
        worker: The thread.
        problem: Why there are no detections, empty where there could be.
    """

    def __init__(
        self,
        node: AgentNode,
        load: Callable[[], Detector],
        rate: float,
        markers: MarkerPublisher,
        mounting: Mounting,
    ) -> None:
        self.worker = Worker("objects")
        self.problem = ""
        self._load = load
        self._markers = markers
        self._mounting = mounting
        self._pace = Pace(1.0 / rate)
        self._detections = node.create_publisher(DetectionArray, names.DETECTIONS, STANDARD)

    @property
    def wanted(self) -> bool:
        """Whether anybody needs detections."""
        return self._detections.get_subscription_count() > 0 or self._markers.wanted

    @cached_property
    def detector(self) -> Detector:
        """The detector, loaded when it is first asked for. For `worker`."""
        return self._load()

    def detect(self, frame: Frame) -> Sequence[Detection]:
        """Finds what is in a picture, best first. To be called in `worker`.

        Raises:
            AgentError: As the detector, also where it cannot be loaded.
        """
        return self.detector.detect(frame.image)

    def offer(self, picture: Callable[[], Frame]) -> None:
        """Looks at a picture next, if one is due and nothing newer comes."""
        if self.wanted and self._pace.is_due():
            self.worker.offer(lambda: self._look(picture))

    def _look(self, picture: Callable[[], Frame]) -> None:
        try:
            frame = picture()
            found = self.detect(frame)
        except AgentError as error:
            self.problem = error.message
            return
        self.problem = ""
        sightings = self.located(frame, found)
        self._detections.publish(detections_message(frame, sightings, self.detector.name))
        self._markers.show_sightings(frame, sightings)

    def located(self, frame: Frame, detections: Sequence[Detection]) -> list[Sighting]:
        """Where in space the things are that were found in a picture. For any thread."""
        camera = camera_pose(self._mounting.head(frame.head))
        return [locate(detection, frame.intrinsics, camera) for detection in detections]
