"""Workload for fault injection, with a ledger of acknowledged records.

Its operations make a graph store records.
"""

from __future__ import annotations

import json
import time
import uuid
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from typing import Any

from reachy_agent_msgs.action import Converse, ExecuteTool, RecordDemonstration, Say
from reachy_agent_msgs.msg import Approval, ApprovalList, Feedback, ToolTestCase
from reachy_agent_msgs.srv import DecideApproval, GiveFeedback, RegisterTool

from chaos.ledger import Kind, Ledger
from chaos.stored_records import memory_key, tool_key
from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller, ServiceCaller, error_of
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, uuid_from_message, uuid_message
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED

PATIENCE = 20.0  # timeout of a call, s
PROVING = 60.0  # timeout for the verification of a tool, s
SHOWN = 1.0  # duration of a demonstration, s
GUARDED = "set_antennas"
"""Tool whose calls need approval."""

RULES = f"""\
default: autonomous
rules:
  - tools: {GUARDED}
    tier: confirm
    because: the workload tests approvals
"""
"""Permission rules of the graph in which the workload runs."""

_TOOL = '''
def lucky_number_{number}() -> dict:
    """Tells the lucky number {number}.

    Returns:
        The number.
    """
    return {{"number": {number}}}
'''


class Workload:
    """Workload for a graph. Each of its operations makes the graph store one record.

    An operation returns whether the graph acknowledged the record, and raises no error.

    Args:
        client: A client in the graph, which needs the permissions `RULES` and an `AnsweringModel` as its model.
        ledger: Records the acknowledgments.

    Attributes:
        refused: Number of operations that were not acknowledged, by reason.
    """

    def __init__(self, client: GraphClient, ledger: Ledger) -> None:
        node, self._ledger = client.node, ledger
        agent, tools = client.watch(names.AGENT), client.watch(names.TOOL_SERVER)
        self._converse = ActionCaller(node, Converse, names.CONVERSE, agent)
        self._calls = ActionCaller(node, ExecuteTool, names.CALL_TOOL, agent)
        self._decide = ServiceCaller(node, DecideApproval, names.DECIDE_APPROVAL, agent)
        self._say = ActionCaller(node, Say, names.SAY, client.watch(names.TTS))
        self._judge = ServiceCaller(node, GiveFeedback, names.GIVE_FEEDBACK, client.watch(names.FEEDBACK))
        self._register = ServiceCaller(node, RegisterTool, names.REGISTER_TOOL, tools)
        self._records = ActionCaller(node, RecordDemonstration, names.RECORD_DEMONSTRATION, client.watch(names.TRAINER))
        self._waiting: list[Approval] = []
        node.create_subscription(ApprovalList, names.APPROVALS, self._take_questions, LATCHED)
        self._numbers = count(int(time.time()) % 100_000 * 1_000)  # unique, also among several workloads of one graph
        self._pool = ThreadPoolExecutor(1)
        self.refused: Counter[str] = Counter()

    def close(self) -> None:
        """Waits until all running tool calls have ended."""
        self._pool.shutdown()

    def run_all(self) -> int:
        """Runs each operation once. Returns the number of acknowledged operations."""
        operations = (self.talk, self.judge, self.tell, self.decide, self.teach, self.show)
        return sum(operation() for operation in operations)

    def talk(self) -> bool:
        """Sends one message of a conversation to the robot."""
        sentence = f"what do you think of the number {next(self._numbers)}?"
        return self._given(Kind.TURN, sentence, lambda: self._says(sentence))

    def tell(self) -> bool:
        """Asks the robot to remember a fact."""
        number = next(self._numbers)
        key, text = f"word{number}", f"value{number}"
        told: list[bool] = []

        def follow(feedback: Converse.Feedback) -> None:
            if feedback.kind == Converse.Feedback.TOOL_ENDED and feedback.name == "remember":
                told.append("error" not in json.loads(feedback.text))

        def ask() -> Any:
            result = self._says(f"please remember that the {key} is {text}", follow)
            if result.error_code == ErrorCode.NONE and not any(told):
                raise AgentError(ErrorCode.TOOL_FAILED, "The fact was not remembered.")
            return result

        return self._given(Kind.MEMORY, memory_key(key, text), ask)

    def judge(self) -> bool:
        """Makes the robot speak and gives feedback on the speech.

        Feedback must refer to an action.
        """
        try:
            self._say.call(Say.Goal(text="Done."), PATIENCE)
        except AgentError as error:
            return self._note(error)
        identity = uuid.uuid4()
        feedback = Feedback(feedback_id=uuid_message(identity), text="that was well done", person="workload")
        request = GiveFeedback.Request(feedback=feedback)
        return self._given(Kind.FEEDBACK, str(identity), lambda: self._judge.call(request, PATIENCE))

    def teach(self) -> bool:
        """Registers a generated tool, which the graph verifies first."""
        number = next(self._numbers)
        name, source = f"lucky_number_{number}", _TOOL.format(number=number)
        cases = [ToolTestCase(arguments="{}", expected=json.dumps({"number": number}))]
        request = RegisterTool.Request(source=source, explanation="It tells a number.", author="workload", cases=cases)
        return self._given(Kind.TOOL, tool_key(name, source), lambda: self._register.call(request, PROVING))

    def show(self) -> bool:
        """Records a demonstration."""
        goal = RecordDemonstration.Goal(
            skill="standing_still",
            prompt="stand like this",
            method=RecordDemonstration.Goal.TELEOPERATION,
            time_allowance=duration_message(SHOWN),
        )
        try:
            result = self._records.call(goal, PATIENCE)
        except AgentError as error:
            return self._note(error)
        return self._given(Kind.DEMONSTRATION, result.demonstration, lambda: result)

    def decide(self) -> bool:
        """Calls a tool that needs approval, and rejects the approval request."""
        goal = ExecuteTool.Goal(name=GUARDED, arguments_json='{"right_deg": 0, "left_deg": 0}', caller="workload")
        asking = self._pool.submit(self._quietly, goal)
        patience = Deadline(PATIENCE)
        while not self._waiting and not asking.done() and not patience.passed:
            time.sleep(0.02)
        questions, decided = list(self._waiting), False
        for question in questions:
            request = DecideApproval.Request(approval_id=question.approval_id, approve=False, comment="not now")
            key = str(uuid_from_message(question.approval_id))
            decided |= self._given(Kind.APPROVAL, key, partial(self._decide.call, request, PATIENCE))
        asking.result(2.0 * PATIENCE)
        return decided

    def _says(self, text: str, follow: Callable[[Any], None] | None = None) -> Any:
        goal = Converse.Goal(text=text, session_id="campaign", wait=True)
        return self._converse.call(goal, PATIENCE, on_feedback=follow)

    def _given(self, kind: Kind, key: str, give: Callable[[], Any]) -> bool:
        try:
            result = give()
        except AgentError as error:
            return self._note(error)
        failure = error_of(result)
        if failure is not None:
            return self._note(failure)
        self._ledger.acknowledge(kind, key)
        return True

    def _note(self, error: AgentError) -> bool:
        self.refused[str(error)] += 1
        return False

    def _quietly(self, goal: ExecuteTool.Goal) -> None:
        try:
            self._calls.call(goal, PATIENCE)
        except AgentError as error:
            self._note(error)

    def _take_questions(self, message: ApprovalList) -> None:
        self._waiting = list(message.approvals)
