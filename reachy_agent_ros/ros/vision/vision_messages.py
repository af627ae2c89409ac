"""What the vision node publishes, from the plain values of `seeing`."""

from __future__ import annotations

import numpy as np
from geometry_msgs.msg import Point, Vector3
from reachy_agent_msgs.msg import Detection, DetectionArray, FaceTarget, MotionOffset
from std_msgs.msg import Header

from reachy_agent_ros.core.names import BASE_FRAME, HEAD_BASE_FRAME, HEAD_FRAME
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.ros.rclpy_ext.convert import pose_message, stamp_message, wall_stamp
from reachy_agent_ros.vision.camera import Frame
from reachy_agent_ros.vision.eye import camera_pose
from reachy_agent_ros.vision.face_tracker import FaceTrack
from reachy_agent_ros.vision.localiser import Sighting


def detections_message(frame: Frame, sightings: list[Sighting], detector: str) -> DetectionArray:
    """What was found in a picture."""
    return DetectionArray(
        header=Header(stamp=stamp_message(frame.stamp), frame_id=BASE_FRAME),
        image_width=frame.intrinsics.width,
        image_height=frame.intrinsics.height,
        detections=[detection_message(sighting) for sighting in sightings],
        camera_pose=pose_message(camera_pose(frame.head)),
        detector=detector,
    )


def detection_message(sighting: Sighting) -> Detection:
    """One thing of it."""
    found = sighting.detection
    message = Detection(
        label=found.label,
        confidence=found.confidence,
        box=np.array(found.box, dtype=np.float32),
        bearing=_vector(sighting.bearing),
    )
    if sighting.position is not None and sighting.covariance is not None:
        message.has_position = True
        message.position = _point(sighting.position)
        message.position_covariance = sighting.covariance.ravel()
    return message


def face_target_message(stamp: float, face: FaceTrack | None) -> FaceTarget:
    """The face the robot attends to at a moment, s on the wall clock; None for no face."""
    message = FaceTarget(header=Header(stamp=stamp_message(stamp), frame_id=HEAD_BASE_FRAME))
    if face is not None:
        message.visible = face.seen == stamp
        message.track = face.name
        message.position = _point(face.position)
        message.confidence = face.confidence
    return message


def face_offset_message(rotation: Vector, last_stop: int) -> MotionOffset:
    """The head's turn towards a face, a rotation vector in the head's own frame, rad, and the last stop known of."""
    header = Header(stamp=wall_stamp(), frame_id=HEAD_FRAME)
    return MotionOffset(header=header, source=MotionOffset.FACE, rotation=_vector(rotation), last_stop=last_stop)


def _vector(values: Vector) -> Vector3:
    x, y, z = (float(value) for value in values)
    return Vector3(x=x, y=y, z=z)


def _point(values: Vector) -> Point:
    x, y, z = (float(value) for value in values)
    return Point(x=x, y=y, z=z)
