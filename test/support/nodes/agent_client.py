"""Client of the agent and of the simulated robot."""

from __future__ import annotations

import math
import uuid
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from reachy_agent_msgs.action import Converse, ExecuteTool
from reachy_agent_msgs.msg import (
    AgentState,
    Approval,
    ApprovalList,
    Attention,
    BargeIn,
    GrantList,
    Plan,
    Reply,
    RobotState,
    Transcript,
    TurnTrace,
)
from reachy_agent_msgs.srv import DecideApproval, GetRobotState
from std_srvs.srv import SetBool
from unique_identifier_msgs.msg import UUID

from reachy_agent_ros.agent.model.self_tests import ToolProtocol
from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.pose import rpy_from_matrix
from reachy_agent_ros.ros.rclpy_ext.convert import transform_from_pose, uuid_message
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD
from support import failure_report
from support.nodes.node_process import Ros
from support.nodes.observed_calls import ActionCaller, ServiceCaller
from support.waiting import PATIENCE, wait_until

MODEL_LIMIT = 120.0
"""Timeout for loading the Agents SDK and the model self-test, s, even on a busy machine."""


class AgentClient:
    """Client that uses the ROS node of the test to communicate with a running agent."""

    def __init__(self, ros: Ros) -> None:
        node = ros.node
        self.agent = HeartbeatMonitor(node, names.AGENT)
        self.bridge = HeartbeatMonitor(node, names.HARDWARE_BRIDGE)
        self.tool_server = HeartbeatMonitor(node, names.TOOL_SERVER)
        self.replies: list[Reply] = []
        self.spans: list[TurnTrace] = []
        self.approvals: list[ApprovalList] = []
        node.create_subscription(Reply, names.REPLY, self.replies.append, STANDARD)
        node.create_subscription(TurnTrace, names.TURN_TRACE, self.spans.append, STANDARD)
        node.create_subscription(ApprovalList, names.APPROVALS, self.approvals.append, LATCHED)
        self.attention: list[int] = []
        node.create_subscription(Attention, names.ATTENTION, lambda now: self.attention.append(now.opened_by), LATCHED)
        self.barge_ins = node.create_publisher(BargeIn, names.BARGE_IN, STANDARD)
        self._button = ServiceCaller(node, SetBool, names.PUSH_TO_TALK, self.agent)
        self.transcripts = node.create_publisher(Transcript, names.TRANSCRIPT, STANDARD)
        self._converse = ActionCaller(node, Converse, names.CONVERSE, self.agent)
        self._decide = ServiceCaller(node, DecideApproval, names.DECIDE_APPROVAL, self.agent)
        self._state = ServiceCaller(node, GetRobotState, names.GET_ROBOT_STATE, self.bridge)
        self._pool = ThreadPoolExecutor(8)
        self._node = node
        self._call = ActionCaller(node, ExecuteTool, names.CALL_TOOL, self.agent)
        self.states: list[AgentState] = []
        self.plans: list[Plan] = []
        self.grants: list[GrantList] = []
        node.create_subscription(AgentState, names.AGENT_STATE, self.states.append, LATCHED)
        node.create_subscription(Plan, names.PLAN, self.plans.append, LATCHED)
        node.create_subscription(GrantList, names.GRANTS, self.grants.append, LATCHED)
        self.statuses: dict[str, DiagnosticStatus] = {}
        node.create_subscription(DiagnosticArray, "/diagnostics", self._diagnosed, STANDARD)
        failure_report.register(self)

    def describe(self) -> str:
        """Returns the last published state of the agent, for a failure report."""
        states = [f"state {state.state} ({state.detail})" for state in self.states[-1:]]
        statuses = [f"{concern}: {status.message or 'fine'}" for concern, status in self.statuses.items()]
        return f"agent: {'; '.join([*states, *statuses]) or 'nothing was received from it'}"

    def say(self, text: str, **goal: Any) -> Converse.Result:
        return self.begin(text, **goal).result(PATIENCE)

    def begin(
        self,
        text: str,
        cancel: CancelToken | None = None,
        feedback: list[Any] | None = None,
        limit: float = PATIENCE,
        **goal: Any,
    ) -> Future[Converse.Result]:
        """Starts a turn with a timeout of `limit` seconds."""
        on_feedback = None if feedback is None else feedback.append
        return self._pool.submit(
            self._converse.call, Converse.Goal(text=text, wait=True, **goal), limit, cancel, on_feedback
        )

    def wait_for_model(self) -> None:
        """Waits until the agent has detected that its model can call tools.

        The agent reports itself ready earlier, because commands that the reflex understands need no model. Without this
        wait, the first turn of a test would include the loading of the Agents SDK, which takes seconds.
        """

        def tested() -> bool:
            status = self.statuses.get("model")
            return status is not None and status.message == ToolProtocol.NATIVE.value

        wait_until(tested, "the model to pass its self-test", timeout=MODEL_LIMIT)

    def hear(self, text: str, utterance_id: UUID | None = None, **heard: Any) -> UUID:
        """Publishes a transcript of `text`. Returns the utterance id."""
        utterance_id = utterance_id or uuid_message(uuid.uuid4())
        heard.setdefault("is_final", True)
        self.transcripts.publish(Transcript(utterance_id=utterance_id, text=text, **heard))
        return utterance_id

    def press(self, held: bool) -> None:
        assert self._button.call(SetBool.Request(data=held), PATIENCE).success

    def reply_to(self, utterance_id: UUID) -> Reply:
        """Waits for the final reply to an utterance."""

        def replies() -> list[Reply]:
            return [reply for reply in self.replies if reply.is_final and reply.turn_id == utterance_id]

        wait_until(lambda: bool(replies()), "the reply")
        return replies()[0]

    def decide(self, approval_id: UUID, approve: bool) -> DecideApproval.Response:
        return self._decide.call(DecideApproval.Request(approval_id=approval_id, approve=approve), PATIENCE)

    def ask(self, service_type: Any, service: str, **request: Any) -> Any:
        """Calls a service of the agent."""
        return ServiceCaller(self._node, service_type, service, self.agent).call(
            service_type.Request(**request), PATIENCE
        )

    def call_tool(
        self,
        name: str,
        arguments_json: str = "{}",
        cancel: CancelToken | None = None,
        caller: str = "somebody else",
        feedback: list[Any] | None = None,
    ) -> Future[ExecuteTool.Result]:
        goal = ExecuteTool.Goal(name=name, arguments_json=arguments_json, caller=caller)
        on_feedback = None if feedback is None else feedback.append
        return self._pool.submit(self._call.call, goal, PATIENCE, cancel, on_feedback)

    def wait_for_state(self, state: int) -> AgentState:
        wait_until(lambda: bool(self.states) and self.states[-1].state == state, f"the state {state}")
        return self.states[-1]

    def wait_for_question(self) -> Approval:
        """Waits for a single pending approval and returns it."""
        wait_until(lambda: bool(self.approvals and self.approvals[-1].approvals), "a question")
        (question,) = self.approvals[-1].approvals
        return question

    def state(self) -> RobotState:
        return self._state.call(GetRobotState.Request(), PATIENCE).state

    def yaw(self) -> float:
        """Returns the measured yaw of the head in degrees."""
        return math.degrees(rpy_from_matrix(transform_from_pose(self.state().head_pose))[2])

    def _diagnosed(self, array: DiagnosticArray) -> None:
        prefix = f"{names.AGENT}: "
        self.statuses |= {one.name.removeprefix(prefix): one for one in array.status if one.name.startswith(prefix)}
