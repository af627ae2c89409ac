"""Gives the robot's pictures: a stream while somebody watches, and single ones on demand."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from concurrent.futures import Future as Running
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from diagnostic_msgs.msg import DiagnosticStatus
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.task import Future
from reachy_agent_msgs.msg import Heartbeat, RobotState, SceneObjects
from reachy_agent_msgs.srv import CaptureImage, GetRobotState
from sensor_msgs.msg import CameraInfo, CompressedImage, JointState
from std_msgs.msg import Header

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Matrix
from reachy_agent_ros.nodes.base import AgentNode, run
from reachy_agent_ros.nodes.calls import ServiceCaller
from reachy_agent_ros.nodes.camera_messages import camera_info_message, image_message, uncalibrated_info_message
from reachy_agent_ros.nodes.convert import transform_from_pose
from reachy_agent_ros.nodes.heartbeat import HeartbeatWatch
from reachy_agent_ros.nodes.next_message import NextMessage
from reachy_agent_ros.nodes.qos import SENSOR
from reachy_agent_ros.robot.description import SCENES
from reachy_agent_ros.seeing.cameras import ROBOTS, cameras

MEASUREMENT_TIMEOUT = 2.0
"""s to wait for what the bridge measures."""


class CameraNode(AgentNode):
    """The eye's pictures are all drawn in one worker thread, because an OpenGL context belongs to one."""

    def __init__(self) -> None:
        super().__init__(names.CAMERA)
        self._eye, self._studio = cameras(
            self.parameter("robot", "mujoco", "Kind of robot", choices=ROBOTS),
            self.parameter("scene", "minimal", "Simulated surroundings", choices=SCENES),
            self.parameter("width", 640, "Width of the eye's picture, pixels", low=16, high=1920),
            self.parameter("height", 480, "Height of the eye's picture, pixels", low=16, high=1080),
        )
        rate = self.parameter("rate", 5.0, "Pictures a second while somebody watches, Hz", low=0.1, high=30.0)
        self._objects: dict[str, Matrix] = {}
        self._problem = ""
        self._eye_worker = ThreadPoolExecutor(1, thread_name_prefix="eye")
        self._studio_worker = ThreadPoolExecutor(1, thread_name_prefix="studio")
        self._frame: Running[None] = self._eye_worker.submit(self._open)
        bridge = HeartbeatWatch(self, names.HARDWARE_BRIDGE)
        self._states = ServiceCaller(self, GetRobotState, names.GET_ROBOT_STATE, bridge)
        self._images = self.create_publisher(CompressedImage, names.IMAGE, SENSOR)
        self._infos = self.create_publisher(CameraInfo, names.CAMERA_INFO, SENSOR)
        self.create_subscription(SceneObjects, names.SCENE_OBJECTS, self._remember_objects, SENSOR)
        # A group of its own: the service awaits the worker, and nothing else of an awaiting group runs meanwhile.
        self.create_service(CaptureImage, names.CAPTURE_IMAGE, self._capture, callback_group=ReentrantCallbackGroup())
        self.every(1.0 / rate, self._stream)

    def diagnose(self) -> Iterable[DiagnosticStatus]:
        """Whether pictures come, and whether somebody watches."""
        level = DiagnosticStatus.WARN if self._problem else DiagnosticStatus.OK
        yield self.status("pictures", level, self._problem or "ready", watchers=self._watchers())

    def close(self) -> None:
        """Ends the drawing in the thread that began it."""
        self._eye_worker.submit(self._eye.close)
        self._eye_worker.shutdown()
        self._studio_worker.shutdown()

    def _open(self) -> None:
        try:
            self._eye.open()
        except AgentError as error:
            self._problem = self.state_detail = error.message
            self.state = Heartbeat.DEGRADED
        else:
            self.state = Heartbeat.READY

    def _watchers(self) -> int:
        return int(self._images.get_subscription_count() + self._infos.get_subscription_count())

    def _remember_objects(self, message: SceneObjects) -> None:
        self._objects = {
            name: transform_from_pose(pose) for name, pose in zip(message.names, message.poses, strict=True)
        }

    def _stream(self) -> None:
        """Draws the next frame, unless nobody watches or the last one is not ready: late frames are worthless."""
        if not self._frame.done():
            return
        self._frame.result()  # a bug in the worker ends the node, instead of going unseen
        if self._watchers() and self.state == Heartbeat.READY:
            self._frame = self._eye_worker.submit(self._publish_frame)

    def _publish_frame(self) -> None:
        try:
            response = self._take_eye()
        except AgentError as error:
            self._problem = error.message
            return
        self._problem = ""
        self._images.publish(response.image)
        self._infos.publish(response.camera_info)

    async def _capture(self, request: CaptureImage.Request, _response: CaptureImage.Response) -> CaptureImage.Response:
        if request.view == CaptureImage.Request.EYE:
            return await self._ended(self._eye_worker.submit(self._take_eye))
        if request.view != CaptureImage.Request.STUDIO:
            return CaptureImage.Response(
                error_code=int(ErrorCode.INVALID_GOAL), error_msg=f"There is no view {request.view}."
            )
        joints = NextMessage(self, JointState, names.JOINT_STATES)
        try:
            return await self._ended(self._studio_worker.submit(self._take_studio, joints))
        finally:
            joints.close()

    async def _ended(self, running: Running[CaptureImage.Response]) -> CaptureImage.Response:
        ended: Future[Any] = Future(executor=self.executor)
        running.add_done_callback(ended.set_result)
        await ended
        error = running.exception()
        if isinstance(error, AgentError):
            return CaptureImage.Response(error_code=int(error.code), error_msg=error.message)
        return running.result()

    def _take_eye(self) -> CaptureImage.Response:
        state = self._measured()
        image = self._eye.capture(transform_from_pose(state.head_pose), self._objects)
        header = Header(stamp=state.header.stamp, frame_id=names.CAMERA_FRAME)
        info = camera_info_message(self._eye.intrinsics, header)
        return CaptureImage.Response(image=image_message(image, header), camera_info=info, head_pose=state.head_pose)

    def _take_studio(self, joints: NextMessage) -> CaptureImage.Response:
        state = self._measured()
        positions = joints.wait(MEASUREMENT_TIMEOUT)
        image = self._studio.capture(dict(zip(positions.name, positions.position, strict=True)), self._objects)
        header = Header(stamp=positions.header.stamp, frame_id=names.BASE_FRAME)
        info = uncalibrated_info_message(image, header)
        return CaptureImage.Response(image=image_message(image, header), camera_info=info, head_pose=state.head_pose)

    def _measured(self) -> RobotState:
        answer = self._states.call(GetRobotState.Request(), MEASUREMENT_TIMEOUT)
        if answer.error_code != ErrorCode.NONE:
            raise AgentError(ErrorCode(answer.error_code), answer.error_msg)
        return answer.state


def main() -> int:
    """Runs the node."""
    return run(CameraNode)


if __name__ == "__main__":
    sys.exit(main())
