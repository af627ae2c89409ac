from __future__ import annotations

import uuid

from rclpy.publisher import Publisher
from reachy_agent_msgs.msg import Reply, SpeechActivity, Transcript, TurnTrace

from reachy_agent_ros.core import names
from reachy_agent_ros.ros.client.turn_tracker import TurnTracker
from reachy_agent_ros.ros.rclpy_ext.convert import uuid_message
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD
from support.nodes.node_process import Ros
from support.waiting import wait_until


def test_tracker_is_not_settled_while_robot_is_listening(ros: Ros) -> None:
    tracker = TurnTracker(ros.node)
    activities = _publisher(ros, SpeechActivity, names.SPEECH_ACTIVITY)
    transcripts = _publisher(ros, Transcript, names.TRANSCRIPT)
    traces = _publisher(ros, TurnTrace, names.TURN_TRACE)
    call = uuid_message(uuid.uuid4())

    activities.publish(SpeechActivity(state=SpeechActivity.LISTENING))
    wait_until(lambda: tracker.hearing, "the ears to listen")
    transcripts.publish(Transcript(text="Reachy.", utterance_id=call, is_final=True))
    wait_until(lambda: len(tracker.turns) == 1, "the call to be heard")
    traces.publish(TurnTrace(turn_id=call, kind=TurnTrace.HEARING, summary="its name alone"))
    wait_until(lambda: tracker.turns[0].ended, "the call to be ignored")
    assert not tracker.settled

    activities.publish(SpeechActivity(state=SpeechActivity.IDLE))
    wait_until(lambda: tracker.settled, "the ears to have heard everything")


def test_tracker_is_not_settled_before_first_transcript(ros: Ros) -> None:
    assert not TurnTracker(ros.node).settled


def test_tracker_counts_ignored_sentence_whose_trace_arrives_first(ros: Ros) -> None:
    tracker = TurnTracker(ros.node)
    transcripts = _publisher(ros, Transcript, names.TRANSCRIPT)
    traces = _publisher(ros, TurnTrace, names.TURN_TRACE)
    call = uuid_message(uuid.uuid4())

    heard: list[TurnTrace] = []
    ros.node.create_subscription(TurnTrace, names.TURN_TRACE, heard.append, STANDARD)
    traces.publish(TurnTrace(turn_id=call, kind=TurnTrace.HEARING, summary="its name alone"))
    wait_until(lambda: heard, "the call to be ignored")
    assert tracker.turns == []
    transcripts.publish(Transcript(text="Reachy.", utterance_id=call, is_final=True))
    wait_until(lambda: tracker.settled, "the call to be heard")
    assert tracker.turns[0].error == "Heard, but its name alone."


def test_tracker_keeps_limited_number_of_turns(ros: Ros) -> None:
    tracker = TurnTracker(ros.node)
    replies = _publisher(ros, Reply, names.REPLY)
    transcripts = _publisher(ros, Transcript, names.TRANSCRIPT)
    for _number in range(120):
        before = len(tracker.turns)
        transcripts.publish(Transcript(text="Hello.", utterance_id=uuid_message(uuid.uuid4()), is_final=True))
        wait_until(lambda before=before: len(tracker.turns) == min(before + 1, 100), "the sentence")
    last = uuid_message(uuid.uuid4())
    transcripts.publish(Transcript(text="Hello.", utterance_id=last, is_final=True))
    replies.publish(Reply(turn_id=last, is_final=True))
    wait_until(lambda: tracker.turns[-1].ended, "the last reply")
    assert len(tracker.turns) == 100


def _publisher(ros: Ros, kind: type, topic: str) -> Publisher:
    publisher = ros.node.create_publisher(kind, topic, STANDARD)
    wait_until(lambda: publisher.get_subscription_count() > 0, f"a subscriber of {topic}")
    return publisher
