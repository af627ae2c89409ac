"""Client of all interfaces of the node `feedback`."""

from __future__ import annotations

import time
import uuid
from pathlib import Path

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from reachy_agent_msgs.msg import ActionRecord, BargeIn, Feedback, Reward, RobotState, Transcript, TurnTrace
from reachy_agent_msgs.srv import GiveFeedback
from std_msgs.msg import Bool, Header, String

from reachy_agent_ros.core import names
from reachy_agent_ros.ros.action_records import act_message
from reachy_agent_ros.ros.rclpy_ext.convert import stamp_message, uuid_from_message, uuid_message
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import CALLS, LATCHED, RECENT, STANDARD
from support.learning.feedback_cases import act
from support.nodes.node_process import Ros
from support.nodes.observed_calls import ServiceCaller
from support.waiting import PATIENCE, wait_until


class FeedbackClient:
    """Client that simulates the rest of the graph for the node `feedback`."""

    def __init__(self, ros: Ros) -> None:
        node = ros.node
        self.watch = HeartbeatMonitor(node, names.FEEDBACK)
        self.rewards: list[Reward] = []
        self.stops: list[Bool] = []
        self.statuses: dict[str, DiagnosticStatus] = {}
        node.create_subscription(Reward, names.REWARD, self.rewards.append, CALLS)
        node.create_subscription(Bool, names.EMERGENCY_STOP, self.stops.append, STANDARD)
        node.create_subscription(DiagnosticArray, "/diagnostics", self._diagnosed, STANDARD)
        self.words = node.create_publisher(String, names.FEEDBACK, CALLS)
        self._acts = node.create_publisher(ActionRecord, names.ACTION_RECORDS, RECENT)
        self._spans = node.create_publisher(TurnTrace, names.TURN_TRACE, CALLS)
        self._heard = node.create_publisher(Transcript, names.TRANSCRIPT, STANDARD)
        self._barge_ins = node.create_publisher(BargeIn, names.BARGE_IN, STANDARD)
        self._states = node.create_publisher(RobotState, names.ROBOT_STATE, LATCHED)
        self._give = ServiceCaller(node, GiveFeedback, names.GIVE_FEEDBACK, self.watch)
        for publisher in (self.words, self._acts, self._spans, self._heard, self._barge_ins, self._states):
            wait_until(lambda of=publisher: of.get_subscription_count() > 0, "the node to listen")

    def do(self, skill: str = "look_at_object", ago: float = 2.0) -> uuid.UUID:
        """Publishes a recently completed action in a new turn and waits until feedback can refer to it."""
        now = time.time()
        done = act(uuid.uuid4(), began=now - ago - 1.0, ended=now - ago, skill=skill)
        self._acts.publish(act_message(Header(), done))
        rating = {"source": Feedback.RATING, "has_rating": True, "turn_id": done.turn_id}
        wait_until(lambda: self.give(**rating).error_code == 0, "the act to be known")
        wait_until(lambda: bool(self.rewards), "its reward")
        self.rewards.clear()
        assert done.turn_id is not None
        return done.turn_id

    def give(self, text: str = "", turn_id: uuid.UUID | None = None, **feedback: object) -> GiveFeedback.Response:
        message = Feedback(text=text, **feedback)
        if turn_id is not None:
            message.turn_id = uuid_message(turn_id)
        return self._give.call(GiveFeedback.Request(feedback=message), PATIENCE)

    def type(self, text: str, reflex: str = "defer") -> None:
        """Publishes the trace of a typed turn like the agent: first the text, then the decision."""
        turn_id, header = uuid_message(uuid.uuid4()), Header(stamp=stamp_message(time.time()))
        heard = {"header": header, "turn_id": turn_id, "session_id": "test"}
        self._spans.publish(TurnTrace(kind=TurnTrace.HEARING, name="typed", summary=text, **heard))
        self._spans.publish(TurnTrace(kind=TurnTrace.REFLEX, name="reflex", summary=reflex, **heard))

    def say(self, text: str) -> None:
        self._heard.publish(Transcript(text=text, is_final=True, utterance_id=uuid_message(uuid.uuid4())))

    def interrupt(self) -> None:
        self._barge_ins.publish(BargeIn(stage=BargeIn.CONFIRMED))

    def guide(self) -> None:
        """Simulates a person who moves the robot's head by hand."""
        self._states.publish(RobotState(motor_mode=RobotState.MOTORS_GRAVITY_COMPENSATION))

    def reward(self) -> Reward:
        """Waits for the next reward and returns it."""
        wait_until(lambda: bool(self.rewards), "a reward")
        return self.rewards.pop(0)

    def status(self, concern: str) -> dict[str, str]:
        wait_until(lambda: concern in self.statuses, f"the diagnosis of the {concern}")
        found = self.statuses[concern]
        return {"message": found.message, **{one.key: one.value for one in found.values}}

    def _diagnosed(self, array: DiagnosticArray) -> None:
        prefix = f"{names.FEEDBACK}: "
        self.statuses |= {one.name.removeprefix(prefix): one for one in array.status if one.name.startswith(prefix)}


def resident(pid: int) -> float:
    """Returns the resident memory of a process in megabytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 / 1e6


def turn_of(reward: Reward) -> uuid.UUID:
    return uuid_from_message(reward.turn_id)
