"""Node `vision`: detects objects and faces on demand, follows faces, and answers questions about the scene."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from diagnostic_msgs.msg import DiagnosticStatus
from reachy_agent_msgs.msg import Heartbeat
from reachy_agent_msgs.srv import AnalyzeScene, CaptureImage, DetectObjects
from std_msgs.msg import Bool
from std_srvs.srv import SetBool

from reachy_agent_ros.agent.model.settings_file import vision_endpoints_of
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.core.pose import Vector, angle_between
from reachy_agent_ros.ros.camera.pictures import FrameStream, HeadListener, frame_of
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode, run
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.convert import transform_from_pose
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD
from reachy_agent_ros.ros.rclpy_ext.service_server import SlowService
from reachy_agent_ros.ros.vision.detection_workers import (
    FaceFollower,
    ObjectWatch,
    detection_message,
    detections_message,
)
from reachy_agent_ros.ros.vision.idle_look import IdleLook
from reachy_agent_ros.ros.vision.markers import MarkerPublisher
from reachy_agent_ros.vision.camera import Frame
from reachy_agent_ros.vision.detection import Detection
from reachy_agent_ros.vision.detectors import detector
from reachy_agent_ros.vision.eye import Mounting, camera_pose
from reachy_agent_ros.vision.face_detector import FACE
from reachy_agent_ros.vision.scene_description import analyze
from reachy_agent_ros.vision.vision_model import VisionModel

ATTENTION_PERIOD = 0.2
"""Period for checking whether pictures are needed, s."""

CAPTURE_TIMEOUT = 5.0
"""Time limit for one picture, s."""

RECENT = 1.0
"""Maximum age of detected objects that answer a question without another picture, s."""

SAME_VIEW = math.radians(3.0)
"""Head rotation up to which an earlier picture shows what the camera sees now, rad. Breathing turns the head less."""

OLD_PICTURES = "No new pictures from the camera: the last detections are outdated."

CLEAR = 0.5
"""Minimum confidence of an object at which the idle robot may glance."""

ASSUMED_DISTANCE = 1.0
"""Distance of something whose position is unknown from the camera, m: about that of a person at a table."""

REQUESTS = 4
"""Maximum number of concurrent requests."""


class Vision(AgentNode):
    """Node that detects objects and faces, each in a thread that processes only the newest picture."""

    def __init__(self) -> None:
        super().__init__(names.VISION)
        self._model = self._vision_model()
        wanted = self.parameter("detector")
        rate = self.parameter("detection_rate")
        face_rate = self.parameter("face_rate")
        mounting_text = self.parameter("eye_mounting")
        mounting = Mounting.parse(mounting_text)
        self._heads = HeadListener(self)
        markers = MarkerPublisher(self, self._heads)
        self._objects = ObjectWatch(self, lambda: detector(wanted, self._model), rate, markers, mounting)
        self._faces = FaceFollower(self, face_rate, markers, mounting)
        self._faces.enabled = self.parameter("head_tracking")
        self._frames = FrameStream(self, self._heads, self._offer)
        self._requests = ThreadPoolExecutor(REQUESTS, thread_name_prefix="request")
        self._pictures = ServiceCaller(self, CaptureImage, names.CAPTURE_IMAGE, HeartbeatMonitor(self, names.CAMERA))
        period = self.parameter("idle_look_period")
        self._idle_look = IdleLook(self, period, self._points_of_interest, self._requests)
        self._slow = False
        self._unable = ""
        self._offer_services()
        self._objects.worker.submit(self._load)
        self.every(ATTENTION_PERIOD, self._attend)

    def working(self) -> bool:
        """Returns whether both threads are responsive. Ignores a thread that waits for a vision model for seconds."""
        return self._faces.worker.alive() and (self._slow or self._objects.worker.alive())

    def diagnose(self) -> Iterable[DiagnosticStatus]:
        """Yields the diagnostics of object and face detection, and of the looks of the idle robot."""
        for concern, problem, wanted in (
            ("objects", self._objects.problem, self._objects.wanted),
            ("faces", self._faces.problem, self._faces.wanted),
            ("idle look", self._idle_look.problem, self._idle_look.wanted),
        ):
            level = DiagnosticStatus.WARN if problem else DiagnosticStatus.OK
            yield self.status(concern, level, problem or "ready", wanted=wanted, pictures=self._frames.listening)

    def close(self) -> None:
        """Stops the threads."""
        self._requests.shutdown(wait=False, cancel_futures=True)
        self._model.close()
        self._objects.worker.close()
        self._faces.worker.close()

    def _vision_model(self) -> VisionModel:
        parameters = {name: self.parameter(name) for name in ("model_endpoint", "model_name", "model_timeout")}
        return VisionModel.of(vision_endpoints_of(parameters, state_directory()))

    def _offer_services(self) -> None:
        self._questions = (
            SlowService(self, DetectObjects, names.DETECT_OBJECTS, self._serve_detection),
            SlowService(self, AnalyzeScene, names.ANALYZE_SCENE, self._serve_question),
            SlowService(self, SetBool, names.HEAD_TRACKING, self._serve_tracking),
        )
        self.create_subscription(Bool, names.HEAD_TRACKING, self._switch_tracking, STANDARD)

    def _load(self) -> None:
        try:
            found = self._objects.detector
        except AgentError as error:
            self._objects.problem = self._unable = error.message
        else:
            self._slow = not found.labels  # only a vision model has no fixed labels
        self._tell_state()

    def _attend(self) -> None:
        if self._objects.wanted or self._faces.wanted:
            self._frames.need()
        self._frames.relax()
        if self.state != Heartbeat.STARTING:
            self._tell_state()

    def _tell_state(self) -> None:
        self.state_detail = self._unable or (OLD_PICTURES if self._frames.stale else "")
        self.state = Heartbeat.DEGRADED if self.state_detail else Heartbeat.READY

    def _offer(self, picture: Callable[[], Frame]) -> None:
        self._objects.offer(picture)
        self._faces.offer(picture)

    def _switch_tracking(self, message: Bool) -> None:
        self._faces.enabled = message.data

    def _serve_tracking(self, request: SetBool.Request) -> Future[SetBool.Response]:
        return self._faces.worker.submit(lambda: self._track(request.data))

    def _track(self, wanted: bool) -> SetBool.Response:
        if wanted:
            try:
                self._faces.ready()
            except AgentError as error:
                return SetBool.Response(message=f"There is no face to follow: {error.message}")
        self._faces.enabled = wanted
        return SetBool.Response(success=True, message="following faces" if wanted else "following nobody")

    def _serve_detection(self, request: DetectObjects.Request) -> Future[DetectObjects.Response]:
        return self._requests.submit(self._detect, list(request.labels), request.least_confidence)

    def _detect(self, labels: Sequence[str], least_confidence: float) -> DetectObjects.Response:
        frame = self._capture()
        found = [thing for thing in self._found_in(frame, labels) if thing.confidence >= least_confidence]
        kept = [thing for thing in found if not labels or thing.label in labels]
        name = f"{self._objects.detector.name}, {FACE}"
        return DetectObjects.Response(detections=detections_message(frame, self._objects.located(frame, kept), name))

    def _serve_question(self, request: AnalyzeScene.Request) -> Future[AnalyzeScene.Response]:
        return self._requests.submit(self._answer, request.question)

    def _answer(self, question: str) -> AnalyzeScene.Response:
        frame, found = self._seen()
        answer = analyze(frame.image, question, found, self._model)
        sightings = self._objects.located(frame, found)
        return AnalyzeScene.Response(answer=answer, detections=list(map(detection_message, sightings)))

    def _seen(self) -> tuple[Frame, list[Detection]]:
        """Returns a picture with its objects and faces. The picture is new or was processed recently."""
        recent = self._objects.recent(RECENT)
        if recent is None or self._has_turned(recent[0]):
            frame = self._capture()
            return frame, self._found_in(frame, ())
        frame, objects = recent
        return frame, _best_first([*objects, *self._faces_in(frame)])

    def _has_turned(self, frame: Frame) -> bool:
        """Returns whether the head has turned since a picture was taken. If the head pose is unknown, returns True."""
        try:
            _, head = self._heads.history.newest(time.time() - RECENT, 0.0)
        except AgentError:
            return True
        return angle_between(head, frame.head) > SAME_VIEW

    def _faces_in(self, frame: Frame) -> Sequence[Detection]:
        return self._faces.worker.submit(lambda: self._faces.detect(frame.image)).result()

    def _found_in(self, frame: Frame, labels: Sequence[str]) -> list[Detection]:
        """Detects the requested objects and faces in a picture. Returns the detections, best first."""
        objects = self._objects
        found: list[Detection] = []
        if set(labels) != {FACE}:
            _require_known(labels, objects.worker.submit(lambda: objects.detector.labels).result())
            found += objects.worker.submit(lambda: objects.detect(frame)).result()
        if not labels or FACE in labels:
            found += self._faces_in(frame)
        return _best_first(found)

    def _points_of_interest(self) -> list[Vector]:
        """Returns the positions (m, in `base_link`) of clear objects in a new picture, and then those of faces.

        A vision model is not asked, because nobody requested it.
        """
        frame = self._capture()
        labels = (FACE,) if self._slow or self._unable else ()
        found = [thing for thing in self._found_in(frame, labels) if thing.confidence >= CLEAR]
        found.sort(key=lambda thing: thing.label == FACE)
        eye = camera_pose(frame.head)[:3, 3]
        return [
            eye + ASSUMED_DISTANCE * sighting.bearing if sighting.position is None else sighting.position
            for sighting in self._objects.located(frame, found)
        ]

    def _capture(self) -> Frame:
        request = CaptureImage.Request(view=CaptureImage.Request.EYE)
        answer = self._pictures.ask(request, CAPTURE_TIMEOUT)
        return frame_of(answer.image, answer.camera_info, transform_from_pose(answer.head_pose))


def _best_first(found: Iterable[Detection]) -> list[Detection]:
    return sorted(found, key=lambda thing: -thing.confidence)


def _require_known(labels: Sequence[str], known: Sequence[str]) -> None:
    """Raises an error for labels that the detector does not support, if the detector has a fixed list of labels."""
    unknown = [label for label in labels if known and label not in (*known, FACE)]
    if unknown:
        message = f"I cannot recognize {unknown[0]!r}, only {', '.join(known)} and {FACE}."
        raise AgentError(ErrorCode.NOT_FOUND, message)


def main() -> int:
    """Runs the node."""
    return run(Vision)


if __name__ == "__main__":
    sys.exit(main())
