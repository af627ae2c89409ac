"""Vision node with the simulated desk and a photograph of a face."""

from __future__ import annotations

import json
import math
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from geometry_msgs.msg import Point, PointStamped, Pose, PoseStamped, Quaternion
from PIL import Image
from reachy_agent_msgs.msg import DetectionArray, FaceTarget, Heartbeat, RobotState, SceneObjects
from reachy_agent_msgs.srv import AnalyzeScene, DetectObjects, GetRobotState
from sensor_msgs.msg import CompressedImage
from std_msgs.msg import Bool, Header
from std_srvs.srv import SetBool, Trigger
from visualization_msgs.msg import MarkerArray

from evaluation.vision.photographs import portraits
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.core.pose import Vector, rpy_from_matrix
from reachy_agent_ros.ros.rclpy_ext.convert import transform_from_pose
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import SENSOR, STANDARD
from reachy_agent_ros.vision.face_tracker import FACE_HEIGHT
from support.nodes.node_process import NodeProcess, Ros
from support.nodes.observed_calls import ServiceCaller
from support.waiting import wait_until

FACE_PLACE = Point(x=0.9, y=0.35, z=0.35)


@dataclass
class Client:
    """Client of the vision node, which reads the ground truth from the hardware bridge."""

    ros: Ros

    def __post_init__(self) -> None:
        node = self.ros.node
        self.vision = HeartbeatMonitor(node, names.VISION)
        self.bridge = HeartbeatMonitor(node, names.HARDWARE_BRIDGE)
        self.detections = ServiceCaller(node, DetectObjects, names.DETECT_OBJECTS, self.vision)
        self.questions = ServiceCaller(node, AnalyzeScene, names.ANALYZE_SCENE, self.vision)
        self.tracking = ServiceCaller(node, SetBool, names.HEAD_TRACKING, self.vision)
        self.states = ServiceCaller(node, GetRobotState, names.GET_ROBOT_STATE, self.bridge)
        self.hold = ServiceCaller(node, Trigger, names.HOLD, self.bridge)
        self.board = node.create_publisher(PoseStamped, names.PANEL_POSE, STANDARD)

    def detect(self, *labels: str, least_confidence: float = 0.0) -> DetectObjects.Response:
        request = DetectObjects.Request(labels=list(labels), least_confidence=least_confidence)
        return self.detections.call(request, timeout=30.0)

    def received(self, message_type: type, topic: str, enough: Callable[[list[Any]], bool], qos: Any = STANDARD) -> Any:
        """Subscribes to a topic until `enough` is true for the received messages. Returns the last message."""
        messages: list[Any] = []
        subscription = self.ros.node.create_subscription(message_type, topic, messages.append, qos)
        try:
            wait_until(lambda: enough(messages), topic)
        finally:
            self.ros.node.destroy_subscription(subscription)
        return messages[-1]

    def show_face(self, place: Point) -> None:
        pose = Pose(position=place, orientation=Quaternion(z=1.0, w=0.0))
        self.board.publish(PoseStamped(header=Header(frame_id=names.BASE_FRAME), pose=pose))

    def state(self) -> RobotState:
        return self.states.call(GetRobotState.Request(), timeout=10.0).state

    def yaw(self) -> float:
        return rpy_from_matrix(transform_from_pose(self.state().head_pose))[2]

    def yaw_at_rest(self) -> float:
        yaws = [self.yaw()]

        def is_at_rest() -> bool:
            yaws.append(self.yaw())
            return len(yaws) > 20 and max(yaws[-20:]) - min(yaws[-20:]) < 1e-3

        wait_until(is_at_rest, "the head to rest")
        return yaws[-1]


@pytest.fixture(scope="module")
def client(ros: Ros, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    close_up = portraits()[0].close_up()
    photograph = tmp_path_factory.mktemp("photographs") / "face.png"
    Image.fromarray(close_up.image).save(photograph)
    height = FACE_HEIGHT * close_up.image.shape[0] / close_up.face_height
    panel = {"panel_image": str(photograph), "panel_height": height}
    with (
        NodeProcess("hardware_bridge", {"scene": "minimal"}) as bridge,
        NodeProcess("camera", {"scene": "minimal", "width": 320, "height": 240, **panel}) as camera,
        NodeProcess("vision", {"idle_look_period": 1.0}) as vision,
    ):
        for node in (bridge, camera, vision):
            node.wait_ready()
        client = Client(ros)
        wait_until(lambda: client.vision.ready and client.bridge.ready, "the nodes' heartbeats")
        wait_until(lambda: client.board.get_subscription_count() > 0, "the camera")
        yield client
        for node in (vision, camera, bridge):
            assert node.stop() == 0


def vector(point: Any) -> Vector:
    return np.array([point.x, point.y, point.z])


def test_vision_node_locates_objects_on_desk(client: Client) -> None:
    response = client.detect(least_confidence=0.4)
    assert response.error_code == ErrorCode.NONE, response.error_msg
    # Detections are sorted best first, so this keeps the best one of each kind.
    found = {thing.label: thing for thing in reversed(response.detections.detections)}
    assert set(found) == {"apple", "croissant", "duck"}
    assert response.detections.header.frame_id == names.BASE_FRAME
    assert (response.detections.image_width, response.detections.image_height) == (320, 240)
    objects = client.received(SceneObjects, names.SCENE_OBJECTS, lambda heard: bool(heard), SENSOR)
    duck = transform_from_pose(objects.poses[objects.names.index("duck")])[:3, 3]
    assert found["duck"].has_position
    assert np.linalg.norm(vector(found["duck"].position)[:2] - duck[:2]) < 0.06
    camera = transform_from_pose(response.detections.camera_pose)
    way = duck + np.array([0.0, 0.0, 0.05]) - camera[:3, 3]
    cosine = float(vector(found["duck"].bearing) @ way / np.linalg.norm(way))
    assert math.degrees(math.acos(min(1.0, cosine))) < 5.0


def test_detection_returns_only_requested_labels(client: Client) -> None:
    assert {thing.label for thing in client.detect("duck").detections.detections} == {"duck"}
    assert client.detect("duck", least_confidence=1.0).detections.detections == []


def test_error_for_unknown_label_states_label(client: Client) -> None:
    response = client.detect("banana")
    assert response.error_code == ErrorCode.NOT_FOUND
    assert "banana" in response.error_msg
    assert "duck" in response.error_msg


def test_question_without_vision_model_is_answered_with_detections(client: Client) -> None:
    answer = client.questions.call(AnalyzeScene.Request(question="What do you see?"), timeout=30.0)
    assert answer.error_code == ErrorCode.NONE, answer.error_msg
    assert answer.answer.startswith("I see ")
    assert "duck" in answer.answer
    assert "duck" in {thing.label for thing in answer.detections}


def test_vision_node_rejects_empty_question(client: Client) -> None:
    answer = client.questions.call(AnalyzeScene.Request(question=" "), timeout=30.0)
    assert answer.error_code == ErrorCode.EMPTY_TEXT


def test_vision_node_detects_objects_only_while_subscribed(client: Client) -> None:
    array = client.received(DetectionArray, names.DETECTIONS, lambda heard: len(heard) > 2)
    assert "duck" in {thing.label for thing in array.detections}
    wait_until(lambda: watchers(client) == 0, "the vision node to look away")


def watchers(client: Client) -> int:
    return int(client.ros.node.count_subscribers(names.IMAGE))


def test_vision_node_publishes_markers_while_subscribed(client: Client) -> None:
    def shows_duck(heard: list[MarkerArray]) -> bool:
        return bool(heard) and any("duck" in marker.text for marker in heard[-1].markers)

    markers = client.received(MarkerArray, names.MARKERS, shows_duck)
    assert {"gaze", "limits", "seen", "label"} <= {marker.ns for marker in markers.markers}


def test_vision_node_publishes_position_of_face(client: Client) -> None:
    client.show_face(FACE_PLACE)
    face = client.received(FaceTarget, names.FACE_TARGET, lambda heard: bool(heard) and heard[-1].visible)
    place = vector(face.position) + np.array([0.0, 0.0, names.HEAD_BASE_HEIGHT])
    off = math.atan2(place[1], place[0]) - math.atan2(FACE_PLACE.y, FACE_PLACE.x)
    assert math.degrees(abs(off)) < 5.0
    assert face.track.startswith("face_")
    assert "face" in {thing.label for thing in client.detect("face").detections.detections}
    client.show_face(Point(z=-1.0))


def test_vision_node_points_out_face_and_duck_to_idle_robot(client: Client) -> None:
    client.show_face(FACE_PLACE)
    objects = client.received(SceneObjects, names.SCENE_OBJECTS, lambda heard: bool(heard), SENSOR)
    duck = transform_from_pose(objects.poses[objects.names.index("duck")])[:3, 3]

    def pointed_out(heard: list[PointStamped], place: Vector) -> bool:
        bearings = (math.atan2(message.point.y, message.point.x) for message in heard)
        return any(abs(bearing - math.atan2(place[1], place[0])) < math.radians(8.0) for bearing in bearings)

    def both(heard: list[PointStamped]) -> bool:
        return pointed_out(heard, duck) and pointed_out(heard, vector(FACE_PLACE))

    assert client.received(PointStamped, names.POINT_OF_INTEREST, both, SENSOR).header.frame_id == names.BASE_FRAME
    client.show_face(Point(z=-1.0))


def test_head_follows_face_while_enabled(client: Client) -> None:
    client.show_face(FACE_PLACE)
    aim = math.atan2(FACE_PLACE.y, FACE_PLACE.x)
    assert client.tracking.call(SetBool.Request(data=True), timeout=20.0).success
    wait_until(lambda: abs(client.yaw() - aim) < math.radians(5.0), "the head to turn to the face")
    switch = client.ros.node.create_publisher(Bool, names.HEAD_TRACKING, STANDARD)
    wait_until(lambda: switch.get_subscription_count() > 0)
    switch.publish(Bool(data=False))
    wait_until(lambda: abs(client.yaw()) < math.radians(5.0), "the head to return")
    client.ros.node.destroy_publisher(switch)
    client.show_face(Point(z=-1.0))


@contextmanager
def stood_still(client: Client) -> Iterator[None]:
    """Suspends the vision node during a `with` block.

    The block begins when the head has started to turn away from the face.

    The block must be short: a node that was suspended for `transport.FORGOTTEN` ends, because others have dropped it.
    """
    assert client.vision.last is not None
    pid, before = client.vision.last.pid, client.yaw()
    os.kill(pid, signal.SIGSTOP)
    try:
        wait_until(lambda: abs(client.yaw()) < 0.8 * abs(before), "the head to let go")
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


@pytest.mark.parametrize("circumstance", [lambda _client: nullcontext(), stood_still])
def test_stop_ends_face_tracking_until_requested_again(
    client: Client, circumstance: Callable[[Client], AbstractContextManager[None]]
) -> None:
    client.show_face(FACE_PLACE)
    aim = math.atan2(FACE_PLACE.y, FACE_PLACE.x)
    assert client.tracking.call(SetBool.Request(data=True), timeout=20.0).success
    wait_until(lambda: client.yaw() > aim / 2.0, "the head to turn to the face")
    with circumstance(client):
        assert client.hold.call(Trigger.Request(), timeout=5.0).success
    resting = client.yaw_at_rest()
    client.show_face(Point(x=FACE_PLACE.x, y=-FACE_PLACE.y, z=FACE_PLACE.z))
    seen = client.received(FaceTarget, names.FACE_TARGET, lambda heard: bool(heard) and heard[-1].position.y < 0.0)
    assert seen.visible
    assert client.state().held
    assert client.yaw() == pytest.approx(resting, abs=math.radians(1.0))
    assert client.tracking.call(SetBool.Request(data=True), timeout=20.0).success
    wait_until(lambda: client.yaw() < -aim / 2.0, "the head to turn to the face again")
    assert client.tracking.call(SetBool.Request(data=False), timeout=20.0).success
    wait_until(lambda: abs(client.yaw()) < math.radians(5.0), "the head to return")
    client.show_face(Point(z=-1.0))


def test_corrupt_image_is_ignored(client: Client) -> None:
    broken = client.ros.node.create_publisher(CompressedImage, names.IMAGE, SENSOR)
    messages: list[DetectionArray] = []
    subscription = client.ros.node.create_subscription(DetectionArray, names.DETECTIONS, messages.append, STANDARD)
    wait_until(lambda: broken.get_subscription_count() > 0, "the vision node to look")
    for _ in range(20):
        broken.publish(CompressedImage(format="jpeg", data=b"no picture"))
    count = len(messages)
    wait_until(lambda: len(messages) > count + 2, "detections")
    client.ros.node.destroy_subscription(subscription)
    client.ros.node.destroy_publisher(broken)
    assert client.vision.ready


def test_detection_request_fails_if_camera_node_is_missing(client: Client, ros: Ros) -> None:
    remap = {name: f"lonely/{name}" for name in (names.CAPTURE_IMAGE, names.DETECT_OBJECTS)}
    with NodeProcess("vision", name="lonely_vision", remap=remap) as vision:
        vision.wait_ready()
        watch = HeartbeatMonitor(ros.node, "lonely_vision")
        caller = ServiceCaller(ros.node, DetectObjects, f"lonely/{names.DETECT_OBJECTS}", watch)
        response = caller.call(DetectObjects.Request(), timeout=20.0)
        assert response.error_code in (ErrorCode.SERVER_UNAVAILABLE, ErrorCode.TIMEOUT)
        assert response.error_msg
        assert vision.stop() == 0


def test_question_reuses_recent_detection(client: Client, ros: Ros) -> None:
    """The vision node cannot request pictures in this test, so that it can answer only from a recent detection."""
    remap = {name: f"lonely/{name}" for name in (names.CAPTURE_IMAGE, names.ANALYZE_SCENE, names.DETECTIONS)}
    with NodeProcess("vision", name="lonely_vision", remap=remap) as vision:
        vision.wait_ready()
        watch = HeartbeatMonitor(ros.node, "lonely_vision")
        questions = ServiceCaller(ros.node, AnalyzeScene, f"lonely/{names.ANALYZE_SCENE}", watch)

        def answer() -> AnalyzeScene.Response:
            return questions.call(AnalyzeScene.Request(question="What do you see?"), timeout=30.0)

        assert answer().error_code in (ErrorCode.SERVER_UNAVAILABLE, ErrorCode.TIMEOUT)
        detections = ros.node.create_subscription(
            DetectionArray, f"lonely/{names.DETECTIONS}", lambda _: None, STANDARD
        )
        wait_until(lambda: "duck" in answer().answer, "an answer from a recent detection")
        ros.node.destroy_subscription(detections)
        assert vision.stop() == 0


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [({"detector": "onnx:/nowhere.onnx"}, "nowhere.onnx"), ({"detector": "endpoint"}, "endpoint")],
)
def test_vision_node_without_detector_is_degraded_and_reports_reason(
    ros: Ros, parameters: dict[str, str], reason: str
) -> None:
    with NodeProcess("vision", parameters, name="blind_vision", remap={names.MARKERS: "blind/markers"}) as vision:
        vision.wait_ready()
        watch = HeartbeatMonitor(ros.node, "blind_vision")
        wait_until(lambda: watch.last is not None)
        assert watch.last is not None
        assert watch.last.state == Heartbeat.DEGRADED, json.dumps(str(watch.last))
        assert reason in watch.last.detail
        assert vision.stop() == 0


def test_vision_node_reports_frozen_camera_until_camera_recovers(client: Client) -> None:
    camera = HeartbeatMonitor(client.ros.node, names.CAMERA)
    seen: list[DetectionArray] = []
    watching = client.ros.node.create_subscription(DetectionArray, names.DETECTIONS, seen.append, STANDARD)
    wait_until(lambda: bool(seen) and camera.last is not None, "detections")
    os.kill(camera.last.pid, signal.SIGSTOP)
    try:
        wait_until(lambda: client.vision.last.state == Heartbeat.DEGRADED, "vision to miss its pictures")
        assert "pictures" in client.vision.last.detail
    finally:
        os.kill(camera.last.pid, signal.SIGCONT)
    wait_until(lambda: client.vision.last.state == Heartbeat.READY, "vision to see again")
    client.ros.node.destroy_subscription(watching)
