"""Node `camera`: publishes images while there are subscribers, and takes single images on request."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path

from diagnostic_msgs.msg import DiagnosticStatus
from geometry_msgs.msg import PoseStamped
from reachy_agent_msgs.msg import Heartbeat, SceneObjects
from reachy_agent_msgs.srv import CaptureImage
from sensor_msgs.msg import CameraInfo, CompressedImage, Image, JointState
from std_msgs.msg import Header

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Matrix
from reachy_agent_ros.ros.camera.pictures import (
    HeadListener,
    NextMessage,
    camera_info_message,
    frame_header,
    image_message,
    raw_image_message,
    uncalibrated_info_message,
)
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode, run
from reachy_agent_ros.ros.rclpy_ext.convert import pose_message, transform_from_pose
from reachy_agent_ros.ros.rclpy_ext.event_loop import Worker
from reachy_agent_ros.ros.rclpy_ext.qos import SENSOR, STANDARD
from reachy_agent_ros.ros.rclpy_ext.service_server import SlowService
from reachy_agent_ros.vision.camera import CameraDriver, MissingCamera
from reachy_agent_ros.vision.cameras import Studio, simulated_cameras
from reachy_agent_ros.vision.video_camera import VideoCamera

MEASUREMENT_TIMEOUT = 2.0
"""Time to wait for measurements of the bridge, s."""

RETRY_PERIOD = 2.0
"""Time between two attempts to open an unavailable camera, s."""


class CameraNode(AgentNode):
    """Node that publishes camera images. One worker thread takes them, and owns the OpenGL context.

    A second thread requests studio views, which a separate process renders.
    """

    def __init__(self) -> None:
        super().__init__(names.CAMERA)
        self._eye, self._studio = self._cameras()
        rate = self.parameter("rate")
        self._objects: dict[str, Matrix] = {}
        self._panel: dict[str, Matrix] = {}
        self._problem = ""
        self._heads = HeadListener(self)
        self._eye_worker = Worker("eye")
        self._studio_worker = ThreadPoolExecutor(1, thread_name_prefix="studio")
        self._eye_worker.offer(self._open)
        self._offer(rate)

    def _cameras(self) -> tuple[CameraDriver, Studio]:
        width = self.parameter("width")
        height = self.parameter("height")
        scene = self.parameter("scene")
        image = self.parameter("panel_image")
        self._has_panel = bool(image)
        board_height = self.parameter("panel_height")
        eye = self._real_eye(width, height)
        if self.parameter("robot") != "mujoco":
            return eye, MissingCamera("A studio view is available only in simulation.")
        return simulated_cameras(scene, width, height, Path(image) if image else None, board_height)

    def _real_eye(self, width: int, height: int) -> CameraDriver:
        device = self.parameter("device")
        angle = self.parameter("field_of_view")
        file = self.parameter("calibration")
        return VideoCamera(device, width, height, angle, Path(file) if file else None)

    def _offer(self, rate: float) -> None:
        self._images = self.create_publisher(CompressedImage, names.IMAGE, SENSOR)
        self._infos = self.create_publisher(CameraInfo, names.CAMERA_INFO, SENSOR)
        raw = self.parameter("raw")
        self._raw = self.create_publisher(Image, names.IMAGE_RAW, STANDARD) if raw else None
        self.create_subscription(SceneObjects, names.SCENE_OBJECTS, self._remember_objects, SENSOR)
        self.create_subscription(PoseStamped, names.PANEL_POSE, self._move_panel, STANDARD)
        self._captures = SlowService(self, CaptureImage, names.CAPTURE_IMAGE, self._capture)
        self.every(1.0 / rate, self._stream)
        self.every(RETRY_PERIOD, self._retry)

    def diagnose(self) -> Iterable[DiagnosticStatus]:
        """Yields the diagnostics of the camera, with the number of subscribers."""
        level = DiagnosticStatus.WARN if self._problem else DiagnosticStatus.OK
        yield self.status("pictures", level, self._problem or "ready", watchers=self._watchers())

    def close(self) -> None:
        """Stops the threads, and closes the renderer in the thread that opened it."""
        self._eye_worker.submit(self._eye.close)
        self._eye_worker.close()
        self._studio_worker.shutdown()

    def _open(self) -> None:
        try:
            self._eye.open()
        except AgentError as error:
            self._tell(error)
        else:
            self._tell(None)

    def _tell(self, problem: AgentError | None) -> None:
        """Updates the node's state. A missing hardware bridge does not degrade the node."""
        self._problem = "" if problem is None else problem.message
        if problem is None or problem.code is ErrorCode.CAMERA_UNAVAILABLE:
            self.state_detail = self._problem
            self.state = Heartbeat.READY if problem is None else Heartbeat.DEGRADED

    def _retry(self) -> None:
        """Tries again to open an unavailable camera, because the camera may have been connected since then."""
        if self.state == Heartbeat.DEGRADED:
            self._eye_worker.offer(self._open)
        self._heads.relax()

    def _watchers(self) -> int:
        publishers = (self._images, self._infos, *filter(None, (self._raw,)))
        return sum(publisher.get_subscription_count() for publisher in publishers)

    def _remember_objects(self, message: SceneObjects) -> None:
        if len(message.names) != len(message.poses):  # any node may publish it, and an exception would end this node
            self.get_logger().error("Ignored scene objects with different numbers of poses and names.")
            return
        self._objects = {
            name: transform_from_pose(pose) for name, pose in zip(message.names, message.poses, strict=True)
        }

    def _move_panel(self, message: PoseStamped) -> None:
        if self._has_panel:
            from reachy_agent_ros.vision.scene_model import PANEL  # imported here: a real robot needs no MuJoCo

            self._panel = {PANEL: transform_from_pose(message.pose)}

    def _stream(self) -> None:
        """Takes the next picture if there are subscribers. Skips the picture if the previous one is late."""
        if self._watchers() and self.state == Heartbeat.READY:
            self._heads.need()
            self._eye_worker.offer(self._publish_frame)

    def _publish_frame(self) -> None:
        try:
            frame = self._eye.look(self._heads.history, self._objects | self._panel, 0.0)
        except AgentError as error:
            self._tell(error)
            return
        self._tell(None)
        header = frame_header(frame)
        self._images.publish(image_message(frame.image, header))
        self._infos.publish(camera_info_message(frame.intrinsics, header))
        if self._raw is not None and self._raw.get_subscription_count():
            self._raw.publish(raw_image_message(frame.image, header))

    def _capture(self, request: CaptureImage.Request) -> Future[CaptureImage.Response]:
        self._heads.need()
        asked = time.time()
        if request.view == CaptureImage.Request.EYE:
            return self._eye_worker.submit(partial(self._take_eye, asked))
        if request.view != CaptureImage.Request.STUDIO:
            raise AgentError(ErrorCode.INVALID_GOAL, f"Unknown view {request.view}.")
        joints = NextMessage(self, JointState, names.JOINT_STATES)
        picture = self._studio_worker.submit(self._take_studio, joints, asked)
        picture.add_done_callback(lambda _done: self.in_executor(joints.close))
        return picture

    def _take_eye(self, asked: float) -> CaptureImage.Response:
        frame = self._eye.look(self._heads.history, self._objects | self._panel, asked)
        header = frame_header(frame)
        info = camera_info_message(frame.intrinsics, header)
        head = pose_message(frame.head)
        return CaptureImage.Response(image=image_message(frame.image, header), camera_info=info, head_pose=head)

    def _take_studio(self, joints: NextMessage, asked: float) -> CaptureImage.Response:
        _, head = self._heads.history.newest(asked, MEASUREMENT_TIMEOUT)
        positions = joints.wait(MEASUREMENT_TIMEOUT)
        image = self._studio.capture(dict(zip(positions.name, positions.position, strict=False)), self._objects)
        header = Header(stamp=positions.header.stamp, frame_id=names.BASE_FRAME)
        info = uncalibrated_info_message(image, header)
        return CaptureImage.Response(image=image_message(image, header), camera_info=info, head_pose=pose_message(head))


def main() -> int:
    """Runs the node."""
    return run(CameraNode)


if __name__ == "__main__":
    sys.exit(main())
