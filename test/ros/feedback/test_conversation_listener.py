"""Feedback from conversations with the robot, as the feedback node receives it."""

from __future__ import annotations

import uuid

import pytest
from reachy_agent_msgs.msg import Transcript, TurnTrace
from std_msgs.msg import Bool

from reachy_agent_ros.core import names
from reachy_agent_ros.learning.feedback.question import Inquiry
from reachy_agent_ros.learning.feedback_event import FeedbackSource
from reachy_agent_ros.ros.feedback.conversation_listener import ConversationListener, Sentence
from reachy_agent_ros.ros.feedback.stop_guard import SHORT, StopGuard
from reachy_agent_ros.ros.rclpy_ext.convert import uuid_message
from reachy_agent_ros.ros.rclpy_ext.qos import CALLS, STANDARD
from support.nodes.node_process import Ros
from support.recognitions import count_recognitions
from support.waiting import wait_until


def test_plain_stop_in_conversation_latches_only_in_long_text(ros: Ros) -> None:
    stops: list[Bool] = []
    ros.node.create_subscription(Bool, names.EMERGENCY_STOP, stops.append, STANDARD)
    guard = StopGuard(ros.node)
    ConversationListener(ros.node, guard, lambda _sentence: None)
    transcripts = ros.node.create_publisher(Transcript, names.TRANSCRIPT, CALLS)
    listened = (transcripts.get_subscription_count, lambda: ros.node.count_subscribers(names.EMERGENCY_STOP))
    wait_until(lambda: all(count() for count in listened), "the listener")
    for text in ("stop", "blah. " * SHORT + "stop"):
        transcripts.publish(Transcript(text=text, utterance_id=uuid_message(uuid.uuid4()), is_final=True))
    wait_until(lambda: stops, "the stop")
    guard.close()
    assert len(stops) == 1


@pytest.mark.parametrize("text", ["That was too fast.", "Let go of my finger!"])
def test_identical_text_in_partial_and_final_transcript_is_processed_once(
    ros: Ros, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    counted = count_recognitions(monkeypatch)
    told: list[Sentence] = []
    guard, inquiry = StopGuard(ros.node), Inquiry(lambda _text: None)
    ConversationListener(ros.node, guard, told.append)
    transcripts = ros.node.create_publisher(Transcript, names.TRANSCRIPT, CALLS)
    spans = ros.node.create_publisher(TurnTrace, names.TURN_TRACE, CALLS)
    turn_id = uuid_message(uuid.uuid4())
    wait_until(lambda: transcripts.get_subscription_count() and spans.get_subscription_count(), "the listener")
    for is_final in (False, True):
        transcripts.publish(Transcript(text=text, utterance_id=turn_id, is_final=is_final))
    transcripts.publish(Transcript(text="The end.", utterance_id=uuid_message(uuid.uuid4())))
    wait_until(lambda: counted.cries.pop("The end.", 0), "the transcripts")
    spans.publish(TurnTrace(kind=TurnTrace.HEARING, name="spoken", summary=text, turn_id=turn_id))
    spans.publish(TurnTrace(kind=TurnTrace.REFLEX, name="reflex", summary="defer", turn_id=turn_id))
    wait_until(lambda: told, "the sentence")
    assert (told[0].text, told[0].source, told[0].obeyed) == (text, FeedbackSource.SPEECH, False)
    assert inquiry.answer(text, 0.0) is None
    assert counted.cries[text] == 1
    guard.close()
