"""Policy updates from feedback, for commands that wait for them."""

from __future__ import annotations

import uuid

from reachy_agent_msgs.msg import PolicyUpdate

from reachy_agent_ros.agent.terminal_text import plain
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.instance import runs
from reachy_agent_ros.core.names import POLICY_UPDATES, TRAINER
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.convert import uuid_from_message
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import CALLS

_LESSON = 1.0
"""Time after the reply of a turn during which its lesson may arrive, s."""


class PolicyUpdates:
    """Receives the results of learning while a command runs.

    Args:
        client: Client of the graph; create this object before the feedback is given.
    """

    def __init__(self, client: GraphClient) -> None:
        self._client = client
        self._arrived: dict[uuid.UUID, PolicyUpdate] = {}
        self._subscription = client.node.create_subscription(PolicyUpdate, POLICY_UPDATES, self._receive, CALLS)
        # Created after the subscription, so that the first heartbeat shows that the trainer knows the subscription.
        self._trainer = HeartbeatMonitor(client.node, TRAINER)

    def connect(self, timeout: float) -> bool:
        """Waits until the trainer can send updates. Returns False at once if no trainer is known.

        Args:
            timeout: Time limit for a trainer that does not respond, s.
        """
        deadline = Deadline(timeout)
        node = self._client.node
        known = runs(f"{node.get_namespace()}/{TRAINER}") or node.count_publishers(POLICY_UPDATES) > 0
        while known and not self._trainer.alive and not deadline.passed:
            self._client.pause()
        return self._trainer.alive

    def wait(self, feedback_id: uuid.UUID, timeout: float) -> PolicyUpdate | None:
        """Waits for the policy update that results from feedback. Returns None if it does not arrive in time.

        Args:
            feedback_id: Id of the feedback; for a sentence of a conversation, the id of its turn.
            timeout: Time limit, s.
        """
        deadline = Deadline(timeout)
        while feedback_id not in self._arrived and not deadline.passed:
            self._client.pause()
        return self._arrived.get(feedback_id)

    def lesson(self, turn_id: uuid.UUID) -> str:
        """Returns what the robot says it has learned, or cannot learn, from the sentence of a turn; "" if nothing."""
        update = self.wait(turn_id, _LESSON)
        return plain(update.reason) if update is not None and update.told else ""

    def _receive(self, message: PolicyUpdate) -> None:
        self._arrived[uuid_from_message(message.feedback_id)] = message
