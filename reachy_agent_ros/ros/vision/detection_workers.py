"""Object detection and face tracking, each in a worker thread, and head movement toward a face."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from geometry_msgs.msg import PoseStamped
from reachy_agent_msgs.msg import Detection as DetectionMessage
from reachy_agent_msgs.msg import DetectionArray, FaceTarget, MotionOffset, RobotState
from std_msgs.msg import Header

from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Pace
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.names import BASE_FRAME, HEAD_BASE_FRAME, HEAD_FRAME
from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.motion.head_tracking import HeadTracking
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.convert import (
    point_message,
    pose_message,
    stamp_message,
    transform_from_pose,
    vector_message,
    wall_stamp,
)
from reachy_agent_ros.ros.rclpy_ext.event_loop import Worker
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, SENSOR, STANDARD
from reachy_agent_ros.ros.vision.markers import MarkerPublisher
from reachy_agent_ros.vision.camera import Frame, Image
from reachy_agent_ros.vision.detection import Detection, Detector
from reachy_agent_ros.vision.eye import Mounting, camera_pose
from reachy_agent_ros.vision.face_detector import FaceDetector
from reachy_agent_ros.vision.face_tracker import FaceTrack, FaceTracker
from reachy_agent_ros.vision.localiser import Sighting, locate

_STEERING_PERIOD = 0.05
"""Period of head offsets, s."""


class ObjectWatch:
    """Object detection in a worker thread, the only thread that uses the detector.

    Args:
        node: Node that publishes the detections.
        load: Creates the detector.
        rate: Maximum rate of processed pictures, Hz.
        markers: Publisher of markers for the detections.
        mounting: Rotation of the camera in the head.


    Attributes:
        worker: Worker thread.
        problem: Reason why there are no detections; empty if the detection works.
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
        self._latest: tuple[float, Frame, Sequence[Detection]] | None = None
        self._detections = node.create_publisher(DetectionArray, names.DETECTIONS, STANDARD)

    @property
    def wanted(self) -> bool:
        """Whether there are subscribers to detections or markers."""
        return self._detections.get_subscription_count() > 0 or self._markers.wanted

    @cached_property
    def detector(self) -> Detector:
        """Object detector, loaded on first use. Use only in `worker`."""
        return self._load()

    def detect(self, frame: Frame) -> Sequence[Detection]:
        """Detects the objects in a picture, best first. Call this in `worker`.

        Raises:
            AgentError: Error of the detector, or of loading it.
        """
        began = time.monotonic()
        found = self.detector.detect(frame.image)
        self._latest = (began, frame, found)
        return found

    def recent(self, most: float) -> tuple[Frame, Sequence[Detection]] | None:
        """Returns the last picture and its objects, or None if none was processed in the last `most` s. Thread-safe."""
        latest = self._latest
        return None if latest is None or time.monotonic() - latest[0] > most else latest[1:]

    def offer(self, picture: Callable[[], Frame]) -> None:
        """Offers a picture to the worker. Skips one that is not wanted, too early, or replaced by a newer one."""
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
        """Computes the positions of the objects that were detected in a picture. Thread-safe."""
        camera = camera_pose(self._mounting.head(frame.head))
        return [locate(detection, frame.intrinsics, camera) for detection in detections]


class FaceFollower:
    """Face tracking in a worker thread, the only thread that uses the detector and the tracks.

    Args:
        node: Node that publishes the faces.
        rate: Maximum rate of processed pictures, Hz.
        markers: Publisher of markers for the face that the robot attends to.
        mounting: Rotation of the camera in the head.


    Attributes:
        enabled: Whether the head follows the face that the robot attends to.
        worker: Worker thread.
        problem: Reason why there are no faces; empty if the detection works.
    """

    def __init__(self, node: AgentNode, rate: float, markers: MarkerPublisher, mounting: Mounting) -> None:
        self.enabled = False
        self.worker = Worker("faces")
        self.problem = ""
        self._markers = markers
        self._mounting = mounting
        self._pace = Pace(1.0 / rate)
        self._tracker = FaceTracker()
        self._tracking = HeadTracking()
        self._primary: Matrix | None = None
        self._targets = node.create_publisher(FaceTarget, names.FACE_TARGET, STANDARD)
        self._offsets = node.create_publisher(MotionOffset, names.MOTION_OFFSET, SENSOR)
        self._known_stop: int | None = None
        self._last_stop = 0
        node.create_subscription(RobotState, names.ROBOT_STATE, self._obey_stop, LATCHED)
        node.create_subscription(PoseStamped, names.PRIMARY_POSE, self._remember_primary, SENSOR)
        node.every(_STEERING_PERIOD, self._steer_if_active)

    @property
    def wanted(self) -> bool:
        """Whether a subscriber or head tracking needs face detection."""
        watched = self._targets.get_subscription_count() > 0 or self._markers.wanted
        return watched or self.enabled or self._tracking.active

    @cached_property
    def _detector(self) -> FaceDetector:
        return FaceDetector()

    def detect(self, image: Image) -> Sequence[Detection]:
        """Detects the faces in a picture. Call this in `worker`.

        Raises:
            AgentError: `MODEL_UNAVAILABLE` if the detector's weights are missing or not the pinned ones.
        """
        return self._detector.detect(image)

    def ready(self) -> None:
        """Loads the detector. Call this in `worker`. Raises the errors of `detect`."""
        _ = self._detector

    def offer(self, picture: Callable[[], Frame]) -> None:
        """Offers a picture to the worker. Skips one that is not wanted, too early, or replaced by a newer one."""
        if self.wanted and self._pace.is_due():
            self.worker.offer(lambda: self._look(picture))

    def _look(self, picture: Callable[[], Frame]) -> None:
        try:
            frame = picture()
            faces = self.detect(frame.image)
        except AgentError as error:
            self.problem = error.message
            return
        self.problem = ""
        self._tracker.update(faces, frame.intrinsics, self._mounting.head(frame.head), frame.stamp)
        face = self._tracker.attended
        self._targets.publish(_face_target_message(frame.stamp, face))
        if face is None or face.seen < frame.stamp:
            return
        self._markers.show_face(face)
        if self.enabled:
            seen = time.monotonic() - (time.time() - frame.stamp)  # converts from the wall clock to the steady clock
            self._tracking.follow(face.position, face.velocity, seen)
            self._steer()

    def _steer_if_active(self) -> None:
        if self._tracking.active:
            self.worker.submit(self._steer)

    def _steer(self) -> None:
        if not self._tracking.active:
            return  # released in the meantime
        now = time.monotonic()
        if not self.enabled:
            self._tracking.release(now)
        if self._primary is None:
            return  # without the bridge, there is nothing to steer
        self._offsets.publish(_face_offset_message(self._tracking.advance(self._primary, now), self._last_stop))

    def _obey_stop(self, state: RobotState) -> None:
        """Disables head tracking when the robot is stopped, until tracking is requested again."""
        stop, known = state.last_stop, self._known_stop
        self._known_stop = stop
        if stop == known:
            return
        first, stopped = known is None, state.held or state.emergency_stopped
        self.worker.submit(lambda: self._note_stop(stop, let_go=bool(stop) and (stopped or not first)))

    def _note_stop(self, stop: int, *, let_go: bool) -> None:
        """Records the number of the last stop. Runs in `worker`, so that earlier offsets have the previous number."""
        self._last_stop = stop
        if let_go:
            self.enabled = False
            self._tracking = HeadTracking()

    def _remember_primary(self, message: PoseStamped) -> None:
        self._primary = transform_from_pose(message.pose)


def detections_message(frame: Frame, sightings: list[Sighting], detector: str) -> DetectionArray:
    """Returns the message for the detections in a picture."""
    return DetectionArray(
        header=Header(stamp=stamp_message(frame.stamp), frame_id=BASE_FRAME),
        image_width=frame.intrinsics.width,
        image_height=frame.intrinsics.height,
        detections=[detection_message(sighting) for sighting in sightings],
        camera_pose=pose_message(camera_pose(frame.head)),
        detector=detector,
    )


def detection_message(sighting: Sighting) -> DetectionMessage:
    """Returns the message for one detection."""
    found = sighting.detection
    message = DetectionMessage(
        label=found.label,
        confidence=found.confidence,
        box=np.array(found.box, dtype=np.float32),
        bearing=vector_message(sighting.bearing),
    )
    if sighting.position is not None and sighting.covariance is not None:
        message.has_position = True
        message.position = point_message(sighting.position)
        message.position_covariance = sighting.covariance.ravel()
    return message


def _face_target_message(stamp: float, face: FaceTrack | None) -> FaceTarget:
    """Returns the message for the attended face (None: no face) at a wall-clock time (s)."""
    message = FaceTarget(header=Header(stamp=stamp_message(stamp), frame_id=HEAD_BASE_FRAME))
    if face is not None:
        message.visible = face.seen == stamp
        message.track = face.name
        message.position = point_message(face.position)
        message.confidence = face.confidence
    return message


def _face_offset_message(rotation: Vector, last_stop: int) -> MotionOffset:
    """Returns the message for a head offset toward a face: rotation vector (rad, head frame), last stop's number."""
    header = Header(stamp=wall_stamp(), frame_id=HEAD_FRAME)
    turn = vector_message(rotation)
    return MotionOffset(header=header, source=MotionOffset.FACE, rotation=turn, last_stop=last_stop)
