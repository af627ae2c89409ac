"""Client of the hardware bridge."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
from reachy_agent_msgs.action import ExecuteMotion
from reachy_agent_msgs.msg import MotionReport, MotionTarget, RobotState
from reachy_agent_msgs.srv import GetRobotState, SetMotorMode
from std_msgs.msg import Bool
from std_srvs.srv import Trigger

from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.core.pose import head_transform, rpy_from_matrix
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, pose_message, transform_from_pose
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD
from support.nodes.node_process import Ros
from support.nodes.observed_calls import ActionCaller, ServiceCaller
from support.waiting import PATIENCE, wait_until


class BridgeClient:
    """Client that uses the ROS node of the test to communicate with a running hardware bridge."""

    def __init__(self, ros: Ros) -> None:
        self.node = ros.node
        watch = HeartbeatMonitor(self.node, names.HARDWARE_BRIDGE)
        self.states: list[RobotState] = []
        self.reports: list[MotionReport] = []
        self.node.create_subscription(RobotState, names.ROBOT_STATE, self.states.append, LATCHED)
        self.node.create_subscription(MotionReport, names.MOTION_REPORTS, self.reports.append, STANDARD)
        self.targets = self.node.create_publisher(MotionTarget, names.MOTION_TARGET, STANDARD)
        self.stops = self.node.create_publisher(Bool, names.EMERGENCY_STOP, STANDARD)
        self._motions = ActionCaller(self.node, ExecuteMotion, names.EXECUTE_MOTION, watch)
        self._state = ServiceCaller(self.node, GetRobotState, names.GET_ROBOT_STATE, watch)
        self._mode = ServiceCaller(self.node, SetMotorMode, names.SET_MOTOR_MODE, watch)
        triggers = (names.EMERGENCY_STOP, names.RESET_EMERGENCY_STOP, names.HOLD)
        self._triggers = {name: ServiceCaller(self.node, Trigger, name, watch) for name in triggers}
        self._parameters = ServiceCaller(self.node, SetParameters, f"{names.HARDWARE_BRIDGE}/set_parameters", watch)
        self._pool = ThreadPoolExecutor(16)

    def begin(self, goal: ExecuteMotion.Goal, cancel: CancelToken | None = None) -> Future[ExecuteMotion.Result]:
        return self._pool.submit(self._motions.call, goal, PATIENCE, cancel)

    def execute(
        self, goal: ExecuteMotion.Goal, on_feedback: Callable[[ExecuteMotion.Feedback], None] | None = None
    ) -> ExecuteMotion.Result:
        return self._motions.call(goal, PATIENCE, on_feedback=on_feedback)

    def trigger(self, name: str) -> None:
        assert self.triggered(name).success

    def triggered(self, name: str) -> Trigger.Response:
        return self._triggers[name].call(Trigger.Request(), PATIENCE)

    def set_motor_mode(self, mode: int) -> SetMotorMode.Response:
        return self._mode.call(SetMotorMode.Request(mode=mode), PATIENCE)

    def set_parameter(self, name: str, value: bool | float) -> None:
        kind = ParameterValue(type=ParameterType.PARAMETER_DOUBLE, double_value=float(value))
        if isinstance(value, bool):
            kind = ParameterValue(type=ParameterType.PARAMETER_BOOL, bool_value=value)
        answer = self._parameters.call(SetParameters.Request(parameters=[Parameter(name=name, value=kind)]), PATIENCE)
        assert answer.results[0].successful

    def state(self) -> RobotState:
        return self._state.call(GetRobotState.Request(), PATIENCE).state

    def yaw(self) -> float:
        return rpy_from_matrix(transform_from_pose(self.state().head_pose))[2]

    def wait_for_motion(self) -> None:
        start = self.yaw()
        wait_until(lambda: abs(self.yaw() - start) > 0.15, "the head to move")

    def wait_for_rest(self) -> float:
        """Waits until two samples of the head pose agree. Returns the head yaw."""
        seen = [self.yaw()]

        def rests() -> bool:
            seen.append(self.yaw())
            return len(seen) > 20 and max(seen[-20:]) - min(seen[-20:]) < 0.01

        wait_until(rests, "the head to rest")
        return seen[-1]

    def wait_for_report(self, accepted: Callable[[MotionReport], bool]) -> MotionReport:
        wait_until(lambda: any(accepted(report) for report in list(self.reports)), "a motion report")
        return next(report for report in self.reports if accepted(report))

    def reported(self, code: ErrorCode) -> MotionReport:
        return self.wait_for_report(lambda report: report.error_code == code)


def head_goal(yaw: float, duration: float = 0.0, commander: str = "test", **fields: object) -> ExecuteMotion.Goal:
    return ExecuteMotion.Goal(
        kind=ExecuteMotion.Goal.POSE,
        commander=commander,
        set_head=True,
        head_pose=pose_message(head_transform(yaw=yaw)),
        duration=duration_message(duration),
        **fields,
    )
