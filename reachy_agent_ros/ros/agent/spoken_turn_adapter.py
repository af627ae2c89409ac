"""Spoken dialogue: transcripts, attention, interruptions and push-to-talk."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from builtin_interfaces.msg import Time
from reachy_agent_msgs.msg import Attention as AttentionMessage
from reachy_agent_msgs.msg import BargeIn, SpeakingState, Transcript
from std_msgs.msg import Bool, String
from std_srvs.srv import SetBool

from reachy_agent_ros.agent.conversation.attention import Attention, AttentionRules, OpenedBy
from reachy_agent_ros.agent.conversation.spoken_turns import SpokenTurns
from reachy_agent_ros.core import names
from reachy_agent_ros.ros.agent.agent_messages import understood_from_transcript
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.convert import stamp_message
from reachy_agent_ros.ros.rclpy_ext.event_loop import EventLoop
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import CALLS, LATCHED, STANDARD

LOOK_PERIOD = 0.1
"""Period at which the attention state is checked for changes, s."""


class SpokenTurnAdapter:
    """ROS interface of `SpokenTurns`, which runs on the agent's event loop.

    Args:
        node: Node that has the topics, the service and the parameters.
        loop: Event loop of the agent.
        called: Names of the robot.
        create: Creates the spoken turns, given the attention and whether commands may begin early.
        gateway: Heartbeat monitor of the node that connects voice clients. Their turns end when that node is lost.
    """

    def __init__(
        self,
        node: AgentNode,
        loop: EventLoop,
        called: Sequence[str],
        create: Callable[[Attention, bool], SpokenTurns],
        gateway: HeartbeatMonitor,
    ) -> None:
        self._node = node
        self._loop = loop
        self._attention = Attention(_rules(node, called))
        early = node.parameter("early_commitment")
        self._turns = create(self._attention, early)
        self._gateway = gateway
        gateway.on_lost(lambda: loop.call(self._turns.lose_clients))
        self._speaking = False
        self._shown: tuple[OpenedBy, float | None] | None = None
        self._publisher = node.create_publisher(AttentionMessage, names.ATTENTION, LATCHED)
        self._subscriptions = (
            node.create_subscription(Transcript, names.TRANSCRIPT, self._hear, STANDARD),
            node.create_subscription(Bool, names.LISTENING, self._listen, STANDARD),
            node.create_subscription(BargeIn, names.BARGE_IN, self._interrupted, STANDARD),
            node.create_subscription(String, names.VOICE_LEFT, self._leave, STANDARD),
            node.create_subscription(SpeakingState, names.SPEAKING_STATE, self._speaks, LATCHED),
        )
        self._button = node.create_service(SetBool, names.PUSH_TO_TALK, self._push, qos_profile=CALLS)
        node.every(LOOK_PERIOD, self._show)
        self._show()

    @property
    def session_id(self) -> str:
        """Id of the conversation for spoken turns. Set it to switch to another conversation, or to start a new one."""
        return self._turns.session_id

    @session_id.setter
    def session_id(self, session_id: str) -> None:
        self._turns.session_id = session_id

    def _leave(self, client: String) -> None:
        self._loop.call(self._turns.leave, client.data)

    def _hear(self, transcript: Transcript) -> None:
        heard = understood_from_transcript(transcript)
        if heard.client:
            self._gateway.expect()
        self._loop.call(self._turns.hear if transcript.is_final else self._turns.draft, heard)

    def _listen(self, message: Bool) -> None:
        self._loop.call(self._turns.listen, message.data)

    def _interrupted(self, message: BargeIn) -> None:
        if message.stage == BargeIn.CONFIRMED:
            self._loop.call(self._turns.interrupted, message.stop)

    def _speaks(self, state: SpeakingState) -> None:
        if self._speaking and not state.speaking:
            self._loop.call(self._turns.answered)
        self._speaking = state.speaking

    def _push(self, request: SetBool.Request, response: SetBool.Response) -> SetBool.Response:
        if request.data:
            self._loop.call(self._attention.press)
        else:
            self._loop.call(self._attention.release, time.time())
        response.success = True
        response.message = "listening to everything" if request.data else "listening a little longer"
        return response

    def _show(self) -> None:
        now = time.time()
        shown = self._attention.opened_by(now), self._attention.closes(now)
        if shown == self._shown:
            return
        self._shown = shown
        opened_by, closes = shown
        message = AttentionMessage(header=self._node.header(), opened_by=int(opened_by))
        message.closes = Time() if closes is None else stamp_message(closes)
        self._publisher.publish(message)


def _rules(node: AgentNode, called: Sequence[str]) -> AttentionRules:
    mode = node.parameter("attention")

    named = node.parameter("attention_named")
    pressed = node.parameter("attention_pressed")
    answered = node.parameter("attention_answered")
    return AttentionRules(names=called, always=mode == "always", named=named, pressed=pressed, answered=answered)
