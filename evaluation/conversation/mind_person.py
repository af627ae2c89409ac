"""Simulated person who talks with a running agent and kills its process."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from reachy_agent_msgs.action import Converse
from reachy_agent_msgs.srv import BranchSession, DecideApproval, SetPersona

from bench.recovery import Kill
from evaluation.conversation.mind_log import MindLog
from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller, ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.convert import uuid_message

TURN_TIME = 60.0
"""Timeout of a turn, s."""

SERVICES = {
    names.DECIDE_APPROVAL: DecideApproval,
    names.BRANCH_SESSION: BranchSession,
    names.SET_PERSONA: SetPersona,
}


class Person:
    """Simulated person who talks through the action `converse`.

    Args:
        client: Client in the graph.
        log: Log that receives the sentences and actions.

    Attributes:
        began: Tools that have started since the last sentence.
    """

    def __init__(self, client: GraphClient, log: MindLog) -> None:
        self._log = log
        self._agent = client.watch(names.AGENT)
        self._converse = ActionCaller(client.node, Converse, names.CONVERSE, self._agent)
        self._services = {name: ServiceCaller(client.node, kind, name, self._agent) for name, kind in SERVICES.items()}
        self._pool = ThreadPoolExecutor(2)
        self.began: list[str] = []

    def say(self, text: str, session: str, cancel: CancelToken | None = None) -> Future[ErrorCode]:
        """Says a sentence. Returns a future of the error code of the turn, `SERVER_LOST` if the agent is killed."""
        self._log.tell("PERSON", f'"{text}"  (in {session!r})')
        self.began = []
        return self._pool.submit(self._takes, Converse.Goal(text=text, session_id=session, wait=True), cancel)

    def decide(self, approval_id: Any, approve: bool) -> None:
        """Answers an approval request through the service."""
        self._log.tell("PERSON", f"decides by the service: {'yes' if approve else 'no'}")
        request = DecideApproval.Request(approval_id=uuid_message(approval_id), approve=approve)
        self._call(names.DECIDE_APPROVAL, request)

    def use(self, service: str, request: Any) -> None:
        """Calls a service of the agent other than the approval service."""
        fields = {name: getattr(request, name) for name in request.get_fields_and_field_types()}
        self._log.tell("PERSON", f"{service} {fields}")
        self._call(service, request)

    def kill_agent(self) -> None:
        """Kills the process of the agent, and waits until the supervisor has started a new process."""
        kill = Kill(self._agent)
        self._log.tell("SIGKILL", "to the agent")
        self._log.forget()
        seconds = kill.await_return()
        self._log.tell("restarted", f"the agent is ready again after {seconds:.2f} s")

    def close(self) -> None:
        """Waits for the replies to all sentences."""
        self._pool.shutdown()

    def _takes(self, goal: Converse.Goal, cancel: CancelToken | None) -> ErrorCode:
        try:
            return ErrorCode(self._converse.call(goal, TURN_TIME, cancel, self._follow).error_code)
        except AgentError as error:
            return error.code

    def _follow(self, feedback: Converse.Feedback) -> None:
        if feedback.kind == Converse.Feedback.TOOL_STARTED:
            self.began.append(feedback.name)

    def _call(self, service: str, request: Any) -> None:
        response = self._services[service].call(request, TURN_TIME)
        assert response.error_code == ErrorCode.NONE, response.error_msg
