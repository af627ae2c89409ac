"""Access to the robot over ROS for tools: motion, camera, detection, scene questions and speech."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from geometry_msgs.msg import PointStamped, Pose
from rclpy.node import Node
from reachy_agent_msgs.action import ExecuteMotion, Say
from reachy_agent_msgs.msg import Detection, MotionReport, MotionTarget, RobotState
from reachy_agent_msgs.srv import AnalyzeScene, CaptureImage, DetectObjects, GetRobotState
from std_msgs.msg import Header
from std_srvs.srv import SetBool, Trigger

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.camera.pictures import intrinsics_of
from reachy_agent_ros.ros.client.emergency_stop import confirmed
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller, ServiceCaller, error_of, require_success
from reachy_agent_ros.ros.rclpy_ext.convert import (
    duration_message,
    point_message,
    pose_message,
    posture_of,
    seconds_of,
    transform_from_pose,
    uuid_message,
)
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.parameter_caller import ParameterCaller
from reachy_agent_ros.ros.rclpy_ext.qos import SENSOR, STANDARD
from reachy_agent_ros.tools.body import (
    BodyState,
    Motion,
    MotionProgress,
    MotionResult,
    MoveLibrary,
    NamedMotion,
    Photo,
    PoseMotion,
    SceneAnswer,
    SeenThing,
    Sight,
)
from reachy_agent_ros.tools.context import Progress, ToolContext
from reachy_agent_ros.tools.heading import Heading
from reachy_agent_ros.tools.repertoire import NOTHING, Repertoire, perform, shown_as

_KINDS = {
    MoveLibrary.EMOTION: ExecuteMotion.Goal.EMOTION,
    MoveLibrary.DANCE: ExecuteMotion.Goal.DANCE,
    MoveLibrary.GESTURE: ExecuteMotion.Goal.GESTURE,
    MoveLibrary.RECORDED: ExecuteMotion.Goal.RECORDED,
}

ACTIVITIES = {
    RobotState.IDLE: "idle",
    RobotState.MOVING: "moving",
    RobotState.STREAMING: "streaming",
    RobotState.HOLDING: "holding",
    RobotState.STOPPED: "stopped",
}
"""Names of the activities."""

MOTORS = {
    RobotState.MOTORS_ENABLED: "enabled",
    RobotState.MOTORS_DISABLED: "disabled",
    RobotState.MOTORS_GRAVITY_COMPENSATION: "gravity_compensation",
}
"""Names of the motor modes."""

_VOLUME = "volume"
"""Parameter of the voice."""

_PACE = "pace"
"""Parameter of the hardware bridge."""

PERIOD = 0.05
"""Period for repeating a target, s; the bridge holds the robot after 0.25 s without one."""


class ToolBody:
    """Implements `tools.body.Body`.

    The state is requested from a service, which responds within a few ms: the latched topic may be a second old, and a
    subscription to the samples would cost a callback for each sample.


    Args:
        node: Calling node. Its executor must be spinning in another thread. Its name is the commander of every motion,
            so that the bridge holds the robot if this process dies.
        repertoire: Taught motions, which replace gestures and recorded moves with the same name.
    """

    def __init__(self, node: Node, repertoire: Repertoire = NOTHING) -> None:
        self.heading = Heading()
        self._repertoire = repertoire
        self._commander = node.get_name()
        bridge = HeartbeatMonitor(node, names.HARDWARE_BRIDGE)
        camera = HeartbeatMonitor(node, names.CAMERA)
        vision = HeartbeatMonitor(node, names.VISION)
        voice = HeartbeatMonitor(node, names.TTS)
        self._motions = ActionCaller(node, ExecuteMotion, names.EXECUTE_MOTION, bridge)
        self._targets = _TargetStream(node, self._commander)
        self._hold = ServiceCaller(node, Trigger, names.HOLD, bridge)
        self._end_motion = ServiceCaller(node, Trigger, names.END_MOTION, bridge)
        self._state = ServiceCaller(node, GetRobotState, names.GET_ROBOT_STATE, bridge)
        self._pictures = ServiceCaller(node, CaptureImage, names.CAPTURE_IMAGE, camera)
        self._detections = ServiceCaller(node, DetectObjects, names.DETECT_OBJECTS, vision)
        self._questions = ServiceCaller(node, AnalyzeScene, names.ANALYZE_SCENE, vision)
        self._tracking = ServiceCaller(node, SetBool, names.HEAD_TRACKING, vision)
        self._speech = ActionCaller(node, Say, names.SAY, voice)
        self._voice_parameters = ParameterCaller(node, names.TTS, voice)
        self._bridge_parameters = ParameterCaller(node, names.HARDWARE_BRIDGE, bridge)
        self._photo: Photo | None = None

    def move(self, motion: Motion, context: ToolContext) -> MotionResult:
        """Plays a motion until it ends. If canceled, holds the pose."""
        shown = shown_as(motion, self._repertoire)
        if shown is not None:
            return perform(*shown, context)
        return self._play(_goal(motion), context)

    def proceed(self, context: ToolContext) -> MotionResult:
        """Continues the motion that was stopped last, and waits until it ends."""
        return self._play(ExecuteMotion.Goal(kind=ExecuteMotion.Goal.CONTINUE), context)

    def _play(self, goal: ExecuteMotion.Goal, context: ToolContext) -> MotionResult:
        goal.commander = self._commander
        goal.turn_id = uuid_message(context.turn_id)
        self._targets.stop()
        result = self._motions.call(
            goal,
            context.deadline.remaining,
            context.cancel,
            on_feedback=lambda feedback: context.report(_progress(feedback)),
        )
        return MotionResult(posture_of(result), tuple(result.clamped), error_of(result))

    def stream(self, motion: PoseMotion) -> None:
        """Moves toward a target, until the next target, the next motion or `hold`."""
        self._targets.pursue(motion)

    def hold(self) -> None:
        """Ends the current motion and holds the pose."""
        self._targets.stop()
        confirmed(self._end_motion.call(Trigger.Request()))

    def halt(self) -> None:
        """Stops the robot at a person's request."""
        self._targets.stop()
        confirmed(self._hold.call(Trigger.Request()))

    def pace(self) -> float:
        """Returns the pace of motions, as a multiple of their usual one."""
        return float(self._bridge_parameters.get(_PACE))

    def set_pace(self, pace: float) -> None:
        """Sets the pace of motions until the `hardware_bridge` node restarts."""
        self._bridge_parameters.set(_PACE, pace)

    def state(self) -> BodyState:
        """Returns the current state of the robot."""
        response = self._state.ask(GetRobotState.Request())
        state = response.state
        return BodyState(
            pose=posture_of(state),
            activity=ACTIVITIES[state.activity],
            motors=MOTORS[state.motor_mode],
            connected=state.connected,
            simulated=state.simulated,
            emergency_stopped=state.emergency_stopped,
            stop_reason=state.stop_reason,
            commander=state.commander,
        )

    def photograph(self, context: ToolContext) -> Photo:
        """Takes a picture with the robot's camera."""
        request = CaptureImage.Request(view=CaptureImage.Request.EYE)
        response = self._pictures.ask(request, context.deadline.remaining, context.cancel)
        intrinsics = intrinsics_of(response.camera_info)
        self._photo = Photo(bytes(response.image.data), intrinsics, transform_from_pose(response.head_pose))
        return self._photo

    def last_photo(self) -> Photo | None:
        """Returns the last picture, or None before the first picture."""
        return self._photo

    def detect(self, labels: Sequence[str], context: ToolContext) -> Sight:
        """Detects objects with the given labels in a new picture. Without labels, detects all objects."""
        request = DetectObjects.Request(labels=list(labels))
        found = self._detections.ask(request, context.deadline.remaining, context.cancel).detections
        return Sight(tuple(map(_seen_thing, found.detections)), transform_from_pose(found.camera_pose))

    def ask_about_scene(self, question: str, context: ToolContext) -> SceneAnswer:
        """Answers a question about a new picture."""
        request = AnalyzeScene.Request(question=question)
        response = self._questions.ask(request, context.deadline.remaining, context.cancel)
        return SceneAnswer(response.answer, tuple(thing.label for thing in response.detections))

    def track_faces(self, enabled: bool) -> None:
        """Enables or disables face tracking by the head."""
        response = self._tracking.call(SetBool.Request(data=enabled))
        if not response.success:
            raise AgentError(ErrorCode.DETECTOR_UNAVAILABLE, response.message)

    def say(self, text: str, context: ToolContext) -> str:
        """Speaks a text and returns the spoken text."""
        goal = Say.Goal(text=text, turn_id=uuid_message(context.turn_id))
        result = self._speech.call(
            goal,
            context.deadline.remaining,
            context.cancel,
            on_feedback=lambda feedback: context.report(Progress(0.0, feedback.clause)),
        )
        return str(require_success(result).spoken_text)

    def volume(self) -> float:
        """Returns the volume of the voice, from 0 to 1."""
        return float(self._voice_parameters.get(_VOLUME))

    def set_volume(self, volume: float) -> None:
        """Sets the volume of the voice (0 to 1) until the `tts` node restarts."""
        self._voice_parameters.set(_VOLUME, volume)


class _TargetStream:
    """Publishes a motion target repeatedly until the target is replaced, stopped or rejected.

    The stream has no responses, so the error of a rejected target is raised with the next target. A rejected target is
    not repeated: a motion that an emergency stop has ended must not continue after the reset. `STALE_COMMAND` rejects
    no target. It reports that this process or the bridge was delayed, and the next target continues the motion.

    Args:
        node: Node that publishes the targets. Its executor must be spinning in another thread.
        commander: Name of the commander.
    """

    def __init__(self, node: Node, commander: str) -> None:
        self._commander = commander
        self._publisher = node.create_publisher(MotionTarget, names.MOTION_TARGET, SENSOR)
        node.create_subscription(MotionReport, names.MOTION_REPORTS, self._take_report, STANDARD)
        self._changed = threading.Condition()
        self._target: MotionTarget | None = None
        self._refusal: AgentError | None = None
        self._thread: threading.Thread | None = None

    def pursue(self, motion: PoseMotion) -> None:
        """Sets a new target, which replaces the previous one.

        Raises:
            AgentError: Error of the previous target, if it was rejected.
        """
        with self._changed:
            refusal, self._refusal = self._refusal, None
            if refusal is not None:
                raise refusal
            header = Header(frame_id=names.HEAD_BASE_FRAME)
            self._target = MotionTarget(header=header, commander=self._commander, **_pose_fields(motion))
            self._publisher.publish(self._target)
            self._changed.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._repeat, name="targets", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Stops the publication of the target: none follows this call. Does not make the robot hold its pose."""
        with self._changed:
            self._target = self._refusal = None
            self._changed.notify()

    def _repeat(self) -> None:
        with self._changed:
            while self._target is not None:
                if not self._changed.wait(PERIOD) and self._target is not None:
                    self._publisher.publish(self._target)
            self._thread = None

    def _take_report(self, report: MotionReport) -> None:
        if report.verdict != MotionReport.REFUSED or report.error_code == ErrorCode.STALE_COMMAND:
            return
        with self._changed:
            if report.commander == self._commander and self._target:
                self._refusal = error_of(report)
                self._target = None
                self._changed.notify()


def _pose_fields(motion: PoseMotion) -> dict[str, Any]:
    """Returns the pose fields for an `ExecuteMotion.Goal` or a `MotionTarget`."""
    right, left = motion.antennas or (0.0, 0.0)
    return {
        "set_head": motion.head is not None,
        "head_pose": Pose() if motion.head is None else pose_message(motion.head),
        "set_antennas": motion.antennas is not None,
        "antenna_right": right,
        "antenna_left": left,
        "set_body": motion.body_yaw is not None,
        "body_yaw": motion.body_yaw or 0.0,
    }


def _goal(motion: Motion) -> ExecuteMotion.Goal:
    if isinstance(motion, NamedMotion):
        return ExecuteMotion.Goal(
            kind=_KINDS[motion.library],
            name=motion.name,
            amplitude=motion.amplitude,
            tempo=motion.tempo,
            queued=True,
        )
    duration = duration_message(motion.duration)
    if isinstance(motion, PoseMotion):
        return ExecuteMotion.Goal(kind=ExecuteMotion.Goal.POSE, duration=duration, **_pose_fields(motion))
    point = PointStamped(header=Header(frame_id=names.BASE_FRAME), point=point_message(motion.point))
    return ExecuteMotion.Goal(kind=ExecuteMotion.Goal.LOOK_AT, point=point, duration=duration)


def _progress(feedback: Any) -> Progress:
    remaining = seconds_of(feedback.time_remaining)
    head = transform_from_pose(feedback.head_pose)
    motion = MotionProgress(feedback.progress, head, feedback.angle_remaining, remaining)
    return Progress(feedback.progress, f"moving, {remaining:.1f} s left", motion)


def _seen_thing(detection: Detection) -> SeenThing:
    bearing, place = detection.bearing, detection.position
    position = (place.x, place.y, place.z) if detection.has_position else None
    return SeenThing(detection.label, detection.confidence, (bearing.x, bearing.y, bearing.z), position)
