"""Node `hardware_bridge`: ROS interface of the motion loop and the safety gate, the only connection to the robot."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from concurrent.futures import Future

from diagnostic_msgs.msg import DiagnosticStatus
from geometry_msgs.msg import PoseStamped
from reachy_agent_msgs.msg import Heartbeat, MotionReport, RobotState, SceneObjects
from reachy_agent_msgs.srv import GetRobotState, SetMotorMode
from sensor_msgs.msg import Imu, JointState
from std_msgs.msg import Bool
from std_srvs.srv import Trigger

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.priority import raise_niceness
from reachy_agent_ros.motion.controller import MotionController
from reachy_agent_ros.motion.loop import MotionLoop
from reachy_agent_ros.robot.finding import TargetVerdict
from reachy_agent_ros.robot.places import read_places
from reachy_agent_ros.robot.protocol import Measurement, MotorMode, Robot
from reachy_agent_ros.ros.hardware_bridge.bridge_messages import (
    TransformPublisher,
    head_pose_message,
    imu_message,
    joint_state_message,
    publish_description,
    report_message,
    scene_objects_message,
)
from reachy_agent_ros.ros.hardware_bridge.motion_action import MotionAction
from reachy_agent_ros.ros.hardware_bridge.motion_inputs import MotionInputs
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode, run
from reachy_agent_ros.ros.rclpy_ext.convert import fill_posture, pose_message
from reachy_agent_ros.ros.rclpy_ext.qos import CALLS, LATCHED, SENSOR, STANDARD
from reachy_agent_ros.ros.rclpy_ext.service_server import SlowService

SAMPLE_PERIOD = 0.02
PRIMARY_PERIOD = 0.1
STATE_PERIOD = 1.0
SCENE_PERIOD = 0.2
REPORT_PERIOD = 0.2
"""Period of published samples, s."""

LATE = 0.008
"""Maximum 99th percentile of the loop's lateness for the diagnostic status OK, s."""

STOP_REASON = "somebody asked for it"
"""Reason for a stop by topic or service, neither of which contains a reason."""


class HardwareBridge(AgentNode):
    """Node that offers the motion controller and its loop over ROS."""

    def __init__(self) -> None:
        super().__init__(names.HARDWARE_BRIDGE)
        self._robot = self._chosen_robot()
        self._controller = MotionController(head_fault_time=self.parameter("head_fault_time"))
        self._loop = MotionLoop(self._robot, self._controller)
        self._cycles = 0
        self._published: tuple[object, ...] = ()
        self._last_sample: Measurement | None = None
        self._offer_topics()
        self._offer_services()
        moves = self.folder("moves_directory", "moves")
        self._motions = MotionAction(self, self._controller, moves)
        self._inputs = MotionInputs(self, self._controller, self._loop, self._robot)
        self._loop.start()

    def working(self) -> bool:
        """Returns whether the motion loop has run since the previous call."""
        if not self._loop.alive:
            raise RuntimeError("The motion loop has crashed. Restart the node.")
        cycles, self._cycles = self._cycles, self._loop.statistics.count
        return self._cycles > cycles

    def diagnose(self) -> Iterable[DiagnosticStatus]:
        """Yields the diagnostics of the motion loop, the safety gate, the idle life and the robot's connection."""
        late = self._loop.statistics.punctuality()
        punctual = late.p99 <= LATE
        yield self.status(
            "motion loop",
            DiagnosticStatus.OK if punctual else DiagnosticStatus.WARN,
            "on time" if punctual else f"99th percentile of lateness is above {LATE * 1e3:.0f} ms",
            p50_ms=f"{late.p50 * 1e3:.3f}",
            p99_ms=f"{late.p99 * 1e3:.3f}",
            max_ms=f"{late.worst * 1e3:.3f}",
            overruns=late.overruns,
            priority=self._loop.priority,
        )
        yield self._diagnose_gate()
        yield self.status("idle life", DiagnosticStatus.OK, self._controller.alertness.name.lower())
        error = self._loop.connection.error
        yield self.status(
            "robot",
            DiagnosticStatus.OK if error is None else DiagnosticStatus.ERROR,
            "connected" if error is None else error.message,
            backend=self._robot.name,
            losses=self._loop.connection.losses,
        )

    def _diagnose_gate(self) -> DiagnosticStatus:
        stopped, watch = self._controller.gate.stop_reason, self._loop.watch
        level, message = DiagnosticStatus.OK, "open"
        if watch.violations or watch.jumps:
            level, message = DiagnosticStatus.ERROR, "commands beyond the limits have reached the robot"
        elif self._controller.fault is not None:
            level, message = DiagnosticStatus.ERROR, self._controller.fault.message
        elif stopped is not None:
            level, message = DiagnosticStatus.WARN, f"emergency stop: {stopped}"
        findings = {verdict.name.lower(): self._controller.reports.total(verdict) for verdict in TargetVerdict}
        return self.status("safety gate", level, message, violations=watch.violations, jumps=watch.jumps, **findings)

    def close(self) -> None:
        """Stops the loop. The robot keeps its pose."""
        self._loop.close()

    def _chosen_robot(self) -> Robot:
        robot = self.parameter("robot")
        scene = self.parameter("scene")
        url = self.parameter("daemon_url")
        places = read_places(self.parameter("objects"))
        if robot == "mujoco":
            from reachy_agent_ros.robot.mujoco_robot import MujocoRobot

            return MujocoRobot(scene, places=places)
        from reachy_agent_ros.robot.daemon_robot import DaemonRobot

        return DaemonRobot(url)

    def _offer_topics(self) -> None:
        self._joints = self.create_publisher(JointState, names.JOINT_STATES, STANDARD)
        self._head = self.create_publisher(PoseStamped, names.HEAD_POSE, STANDARD)
        self._primary = self.create_publisher(PoseStamped, names.PRIMARY_POSE, SENSOR)
        self._imu = self.create_publisher(Imu, names.IMU, SENSOR)
        self._transforms = TransformPublisher(self)
        self._description = publish_description(self)
        self._state = self.create_publisher(RobotState, names.ROBOT_STATE, LATCHED)
        self._scene = self.create_publisher(SceneObjects, names.SCENE_OBJECTS, STANDARD)
        self._reports = self.create_publisher(MotionReport, names.MOTION_REPORTS, STANDARD)
        self.create_subscription(Bool, names.EMERGENCY_STOP, self._take_stop, STANDARD)
        self.every(SAMPLE_PERIOD, self._publish_sample)
        self.every(PRIMARY_PERIOD, self._publish_primary)
        self.every(STATE_PERIOD, self._publish_state)
        self.every(SCENE_PERIOD, self._publish_scene)
        self.every(REPORT_PERIOD, self._publish_reports)

    def _offer_services(self) -> None:
        self.create_service(Trigger, names.EMERGENCY_STOP, self._serve_stop, qos_profile=CALLS)
        self.create_service(Trigger, names.RESET_EMERGENCY_STOP, self._serve_reset, qos_profile=CALLS)
        self.create_service(Trigger, names.HOLD, self._serve_hold, qos_profile=CALLS)
        self.create_service(Trigger, names.END_MOTION, self._serve_end_motion, qos_profile=CALLS)
        self.create_service(GetRobotState, names.GET_ROBOT_STATE, self._serve_state, qos_profile=CALLS)
        self._motor_modes = SlowService(self, SetMotorMode, names.SET_MOTOR_MODE, self._serve_motor_mode)

    def _publish_sample(self) -> None:
        self._update_heartbeat()
        self._publish_change()
        sample = self._controller.measurement
        if sample is None or sample is self._last_sample:
            return
        self._last_sample = sample
        self._joints.publish(joint_state_message(self.header(), sample))
        header = self.header(names.HEAD_BASE_FRAME)
        self._head.publish(head_pose_message(header, sample))
        self._transforms.publish_head(header, sample.pose.head)
        if sample.imu is not None:
            self._imu.publish(imu_message(self.header(names.HEAD_FRAME), sample.imu))

    def _publish_primary(self) -> None:
        if self._connected and self._primary.get_subscription_count():
            pose = pose_message(self._controller.posture.head)
            self._primary.publish(PoseStamped(header=self.header(names.HEAD_BASE_FRAME), pose=pose))

    def _publish_change(self) -> None:
        """Publishes the state immediately after a change. Changes of the pose do not count: every sample changes it."""
        controller, listening = self._controller, self._controller.listening(time.monotonic())
        doing = (controller.activity, controller.commander, controller.breathing, controller.held, listening)
        state = (self._connected, self._motor_mode(), self._motions.queued, controller.last_stop, *doing)
        if state != self._published:
            self._published = state
            self._publish_state()

    @property
    def _connected(self) -> bool:
        """Whether a motion can begin: the robot responds, and has sent at least one sample."""
        return self._loop.connection.error is None and self._controller.measurement is not None

    def _update_heartbeat(self) -> None:
        error = self._loop.connection.error
        if self._connected:
            self.state, self.state_detail = Heartbeat.READY, ""
        elif error is not None and self._loop.connection.attempts > 0:
            self.state, self.state_detail = Heartbeat.DEGRADED, error.message

    def _publish_state(self) -> None:
        self._state.publish(self._robot_state())

    def _publish_scene(self) -> None:
        sample = self._controller.measurement
        if sample is not None and sample.objects:
            self._scene.publish(scene_objects_message(self.header(names.BASE_FRAME), sample))

    def _publish_reports(self) -> None:
        for report in self._controller.reports.take():
            self._reports.publish(report_message(self.header(), report))

    def _take_stop(self, message: Bool) -> None:
        if message.data:
            self._stop("topic")

    def _stop(self, way: str) -> None:
        self._controller.stop(STOP_REASON)
        self._motions.drop(AgentError(ErrorCode.EMERGENCY_STOPPED, f"Emergency stop: {STOP_REASON}."))
        self.get_logger().warning(f"Emergency stop through the {way} emergency_stop.")

    def _serve_stop(self, _request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        self._stop("service")
        return self._confirmed(response, "The robot is stopped. To reset the stop: reachy-agent stop --reset")

    def _serve_reset(self, _request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        self._controller.release()
        response.success, response.message = True, "The robot may move again."
        if not self._connected:
            response.message = "The emergency stop is reset, but the robot does not answer, so it does not move yet."
        self.get_logger().info(f"Emergency stop reset through the service {names.RESET_EMERGENCY_STOP}.")
        return response

    def _serve_hold(self, _request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        self._controller.hold()
        self._motions.drop(AgentError(ErrorCode.CANCELED, "The robot was asked to hold."))
        return self._confirmed(response, "The robot holds.")

    def _serve_end_motion(self, _request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        ended = AgentError(ErrorCode.CANCELED, "The commander ended the motion.")
        self._controller.end_motion(ended)
        self._motions.drop(ended)
        return self._confirmed(response, "The robot holds.")

    def _confirmed(self, response: Trigger.Response, done: str) -> Trigger.Response:
        """Reports success if the robot responds. Otherwise, reports that the robot stops as soon as it responds."""
        error = self._loop.connection.error
        response.success, response.message = self._connected, done
        if not self._connected:
            reason = "" if error is None else f" {error.message}"
            response.message = (
                "The stop did not reach the robot, so it may still move: switch it off if it does. "
                f"It will stop as soon as it answers.{reason}"
            )
        return response

    def _serve_state(self, _request: GetRobotState.Request, response: GetRobotState.Response) -> GetRobotState.Response:
        response.state = self._robot_state()
        error = self._loop.connection.error
        if error is not None:
            response.error_code, response.error_msg = int(error.code), error.message
        return response

    def _serve_motor_mode(self, request: SetMotorMode.Request) -> Future[SetMotorMode.Response]:
        try:
            mode = MotorMode(request.mode)
        except ValueError:
            raise AgentError(ErrorCode.INVALID_GOAL, f"Unknown motor mode {request.mode}.") from None

        def set_mode(robot: Robot) -> SetMotorMode.Response:
            robot.set_motor_mode(mode)
            return SetMotorMode.Response()

        return self._loop.submit(set_mode)

    def _motor_mode(self) -> MotorMode:
        sample = self._controller.measurement
        return MotorMode.ENABLED if sample is None else sample.motor_mode

    def _robot_state(self) -> RobotState:
        sample = self._controller.measurement or self._last_sample
        stopped = self._controller.gate.stop_reason
        state = RobotState(
            header=self.header(names.BASE_FRAME),
            backend=self._robot.name,
            simulated=self._robot.simulated,
            connected=self._connected,
            motor_mode=int(self._motor_mode()),
            activity=int(self._controller.activity),
            emergency_stopped=stopped is not None,
            stop_reason=stopped or "",
            commander=self._controller.commander,
            queued_motions=self._motions.queued,
            breathing=self._controller.breathing,
            held=self._controller.held,
            listening=self._controller.listening(time.monotonic()),
            last_stop=self._controller.last_stop,
            refused_targets=self._controller.reports.total(TargetVerdict.REFUSED),
            clamped_targets=self._controller.reports.total(TargetVerdict.CLAMPED),
        )
        if sample is not None:
            fill_posture(state, sample.pose)
        return state


def main() -> int:
    """Runs the node, with raised priority if the kernel permits it."""
    raise_niceness()
    return run(HardwareBridge)


if __name__ == "__main__":
    sys.exit(main())
