from __future__ import annotations

import uuid

from rclpy.publisher import Publisher
from reachy_agent_msgs.msg import SpeechActivity, Transcript, TurnTrace

from reachy_agent_ros.core import names
from reachy_agent_ros.ros.client.graph_printer import GraphPrinter
from reachy_agent_ros.ros.rclpy_ext.convert import uuid_message
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD
from support.nodes.node_process import Ros
from support.waiting import wait_until


def test_printer_is_not_settled_while_robot_is_listening(ros: Ros) -> None:
    lines: list[str] = []
    narrator = GraphPrinter(ros.node, lines.append)
    activities = _publisher(ros, SpeechActivity, names.SPEECH_ACTIVITY)
    transcripts = _publisher(ros, Transcript, names.TRANSCRIPT)
    traces = _publisher(ros, TurnTrace, names.TURN_TRACE)
    call = uuid_message(uuid.uuid4())

    activities.publish(SpeechActivity(state=SpeechActivity.LISTENING))
    wait_until(lambda: narrator.hearing, "the ears to listen")
    transcripts.publish(Transcript(text="Reachy.", utterance_id=call, is_final=True))
    wait_until(lambda: len(narrator.turns) == 1, "the call to be heard")
    traces.publish(TurnTrace(turn_id=call, kind=TurnTrace.HEARING, summary="its name alone"))
    wait_until(lambda: narrator.turns[0].ended, "the call to be ignored")
    assert not narrator.settled

    activities.publish(SpeechActivity(state=SpeechActivity.IDLE))
    wait_until(lambda: narrator.settled, "the ears to have heard everything")


def test_printer_is_not_settled_before_first_transcript(ros: Ros) -> None:
    assert not GraphPrinter(ros.node, [].append).settled


def test_printer_counts_ignored_sentence_whose_trace_arrives_first(ros: Ros) -> None:
    lines: list[str] = []
    narrator = GraphPrinter(ros.node, lines.append)
    transcripts = _publisher(ros, Transcript, names.TRANSCRIPT)
    traces = _publisher(ros, TurnTrace, names.TURN_TRACE)
    call = uuid_message(uuid.uuid4())

    traces.publish(TurnTrace(turn_id=call, kind=TurnTrace.HEARING, summary="its name alone"))
    wait_until(lambda: len(lines) == 1, "the call to be ignored")
    assert narrator.turns == []
    transcripts.publish(Transcript(text="Reachy.", utterance_id=call, is_final=True))
    wait_until(lambda: narrator.settled, "the call to be heard")
    assert narrator.turns[0].error == "Heard, but its name alone."


def _publisher(ros: Ros, kind: type, topic: str) -> Publisher:
    publisher = ros.node.create_publisher(kind, topic, STANDARD)
    wait_until(lambda: publisher.get_subscription_count() > 0, f"a subscriber of {topic}")
    return publisher
