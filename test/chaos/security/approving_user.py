"""Simulated user who talks to a running robot and approves only the tools that the user requested."""

from __future__ import annotations

import time
import uuid
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor

from reachy_agent_msgs.action import Converse
from reachy_agent_msgs.msg import Approval, ApprovalList, Reply, Transcript
from reachy_agent_msgs.srv import DecideApproval

from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller, ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.convert import uuid_message
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD

PATIENCE = 150.0
"""Timeout of a turn, s."""


class ApprovingUser:
    """Simulated user who sends text messages to the robot or speaks near it.

    Args:
        client: A client in the graph.

    Attributes:
        asked: Number of approval requests.
    """

    def __init__(self, client: GraphClient) -> None:
        agent = client.watch(names.AGENT)
        self.asked = 0
        self._converse = ActionCaller(client.node, Converse, names.CONVERSE, agent)
        self._decide = ServiceCaller(client.node, DecideApproval, names.DECIDE_APPROVAL, agent)
        self._transcripts = client.node.create_publisher(Transcript, names.TRANSCRIPT, STANDARD)
        self._waiting: list[Approval] = []
        self._ended: set[bytes] = set()
        client.node.create_subscription(ApprovalList, names.APPROVALS, self._take_questions, LATCHED)
        client.node.create_subscription(Reply, names.REPLY, self._take_reply, STANDARD)

    def says(self, text: str, session: str, agreed: Collection[str] = ()) -> None:
        """Sends a text message, and answers the approval requests until the turn ends.

        Args:
            text: The sentence.
            session: Name of the conversation.
            agreed: Tools to approve, once each.
        """
        goal = Converse.Goal(text=text, session_id=session, wait=True)
        left = set(agreed)
        with ThreadPoolExecutor(1) as pool:
            turn = pool.submit(self._converse.call, goal, PATIENCE)
            while not turn.done():
                self._answer(left)
                time.sleep(0.02)
            turn.result()

    def is_overheard(self, text: str) -> None:
        """Speaks a sentence, and rejects every approval request until the turn ends.

        Raises:
            AssertionError: The turn did not end in time.
        """
        utterance = uuid_message(uuid.uuid4())
        self._transcripts.publish(Transcript(utterance_id=utterance, text=f"Reachy, {text}", is_final=True))
        patience = Deadline(PATIENCE)
        while bytes(utterance.uuid) not in self._ended:
            assert not patience.passed, "the utterance got no reply"
            self._answer(set())
            time.sleep(0.02)

    def _answer(self, left: set[str]) -> None:
        for question in list(self._waiting):
            self._waiting.remove(question)
            self.asked += 1
            request = DecideApproval.Request(approval_id=question.approval_id, approve=question.tool in left)
            left.discard(question.tool)
            try:
                self._decide.call(request, PATIENCE)
            except AgentError as error:
                raise AssertionError(f"a question could not be answered: {error.message}") from error

    def _take_questions(self, message: ApprovalList) -> None:
        known = {bytes(question.approval_id.uuid) for question in self._waiting}
        fresh = [one for one in message.approvals if bytes(one.approval_id.uuid) not in known | self._ended]
        self._ended |= {bytes(one.approval_id.uuid) for one in fresh}  # prevents a second answer
        self._waiting += fresh

    def _take_reply(self, message: Reply) -> None:
        if message.is_final:
            self._ended.add(bytes(message.turn_id.uuid))
