"""Agent without a language model, with the simulated robot and the tool server in separate processes."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest
from reachy_agent_msgs.action import Converse, GenerateTool
from reachy_agent_msgs.msg import Attention, BargeIn, RobotState, Transcript, TurnTrace

from reachy_agent_ros.agent.traces.trace import SpanKind
from reachy_agent_ros.agent.traces.trace_store import TraceStore
from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.ros.rclpy_ext.convert import uuid_from_message, uuid_message
from support.nodes.agent_client import AgentClient
from support.nodes.node_process import NodeProcess, Ros
from support.nodes.observed_calls import ActionCaller
from support.waiting import PATIENCE, wait_until


@pytest.fixture(scope="module")
def client(ros: Ros) -> Iterator[AgentClient]:
    with NodeProcess("hardware_bridge") as bridge, NodeProcess("tool_server") as tools, NodeProcess("agent") as agent:
        for node in (bridge, tools, agent):
            node.wait_ready()
        client = AgentClient(ros)
        wait_until(lambda: client.agent.ready and client.bridge.ready)
        yield client
        for node in (agent, tools, bridge):
            assert node.stop() == 0


def test_typed_command_moves_head(client: AgentClient) -> None:
    result = client.say("look left")
    assert result.error_code == ErrorCode.NONE
    assert list(result.tools_called) == ["move_head"]
    wait_until(lambda: client.yaw() > 25.0)


def test_tool_generation_requires_model(client: AgentClient, ros: Ros) -> None:
    orders = ActionCaller(ros.node, GenerateTool, names.GENERATE_TOOL, client.agent)
    result = orders.call(GenerateTool.Goal(description="double a number"), PATIENCE)
    assert (result.error_code, result.version) == (ErrorCode.MODEL_UNAVAILABLE, 0)


def test_turn_for_spoken_command_has_utterance_id(client: AgentClient) -> None:
    utterance = client.hear("Reachy, look right.")
    wait_until(lambda: client.yaw() < -25.0)
    assert client.reply_to(utterance).text == "I looked to the right."
    assert any(span.turn_id == utterance and span.kind == TurnTrace.TOOL for span in client.spans)


def test_agent_records_traces_of_turns(client: AgentClient) -> None:
    utterance = client.hear("Reachy, look up.")
    assert client.reply_to(utterance).error_code == ErrorCode.NONE
    store = TraceStore()
    expected = {SpanKind.TURN, SpanKind.HEARING, SpanKind.REFLEX, SpanKind.TOOL}

    def recorded() -> bool:
        turns = [turn for turn in store.latest(1) if turn.turn_id == uuid_from_message(utterance)]
        return any(expected <= {span.kind for span in turn.spans} for turn in turns)

    wait_until(recorded, "all of the turn to be recorded")


def test_agent_records_trace_of_speech_not_addressed_to_robot(client: AgentClient) -> None:
    wait_until(lambda: client.attention[-1:] == [Attention.CLOSED], "attention to close")
    utterance = client.hear("Look left.")
    wait_until(lambda: any(span.turn_id == utterance for span in client.spans))
    (span,) = [span for span in client.spans if span.turn_id == utterance]
    assert (span.kind, span.name, span.summary) == (TurnTrace.HEARING, "attention", "not meant for the robot")


def test_push_to_talk_treats_all_speech_as_addressed_to_robot(client: AgentClient) -> None:
    client.press(True)
    wait_until(lambda: client.attention[-1:] == [Attention.BUTTON])
    assert client.reply_to(client.hear("Look straight ahead.")).error_code == ErrorCode.NONE
    client.press(False)


def test_spoken_command_starts_at_pause_and_follows_later_correction(client: AgentClient) -> None:
    client.say("look straight ahead")
    utterance = client.hear("Reachy, look 60 degrees left over ten seconds.", is_final=False)
    wait_until(lambda: client.yaw() > 2.0, "the head to begin")
    client.hear("Reachy, look 60 degrees left over ten seconds, no, right.", utterance)
    reply = client.reply_to(utterance)
    assert (reply.text, reply.error_code) == ("I looked to the right.", ErrorCode.NONE)
    wait_until(lambda: client.yaw() < -25.0)


def test_spoken_interruption_ends_turn_and_stop_ends_motion(client: AgentClient) -> None:
    client.say("look 60 degrees right")
    moving = client.begin("look 60 degrees left over ten seconds")
    wait_until(lambda: client.state().activity == RobotState.MOVING)
    client.barge_ins.publish(BargeIn(stage=BargeIn.SUSPECTED))
    client.barge_ins.publish(BargeIn(stage=BargeIn.CONFIRMED, stop=True))
    assert moving.result(PATIENCE).error_code == ErrorCode.CANCELED
    wait_until(lambda: client.state().activity != RobotState.MOVING)
    assert client.yaw() < 50.0


def test_agent_ignores_rejected_transcript(client: AgentClient) -> None:
    before = len(client.replies)
    for heard in (
        {"is_final": False, "rejected": Transcript.REJECTED_NOISE},
        {"is_final": True, "rejected": Transcript.REJECTED_NOISE},
    ):
        client.hear("Reachy, look up.", **heard)
    client.say("robot state")
    assert all("looked up" not in reply.text for reply in client.replies[before:])


def test_turn_reports_steps_as_action_feedback(client: AgentClient) -> None:
    feedback: list[Converse.Feedback] = []
    client.begin("look straight ahead", feedback=feedback).result(PATIENCE)
    kinds = [step.kind for step in feedback]
    assert kinds == [Converse.Feedback.TOOL_STARTED, Converse.Feedback.TOOL_ENDED, Converse.Feedback.TOKEN]


def test_stop_holds_head_during_move(client: AgentClient) -> None:
    client.say("look 60 degrees right")
    moving = client.begin("look 60 degrees left over ten seconds")
    wait_until(lambda: client.state().activity == RobotState.MOVING and client.yaw() > -50.0)
    stopped = client.say("Reachy, stop!")
    assert stopped.error_code == ErrorCode.NONE
    assert moving.result(PATIENCE).error_code == ErrorCode.CANCELED
    assert client.state().activity != RobotState.MOVING
    assert client.yaw() < 50.0


def test_cancelled_turn_cancels_motion(client: AgentClient) -> None:
    client.say("look 60 degrees right")
    token = CancelToken()
    moving = client.begin("look 60 degrees left over ten seconds", cancel=token)
    wait_until(lambda: client.state().activity == RobotState.MOVING)
    token.cancel()
    assert moving.result(PATIENCE).error_code == ErrorCode.CANCELED
    wait_until(lambda: client.state().activity != RobotState.MOVING)
    assert client.yaw() < 50.0


def test_reply_without_model_states_that_model_is_required(client: AgentClient) -> None:
    result = client.say("what is the meaning of life?")
    assert result.error_code == ErrorCode.MODEL_UNAVAILABLE
    assert "I need a language model" in result.reply
    assert list(result.tools_called) == []


def test_agent_rejects_empty_sentence(client: AgentClient) -> None:
    result = client.say("  ")
    assert (result.error_code, result.error_msg) == (ErrorCode.INVALID_GOAL, "The message has no text to answer.")


def test_agent_reports_missing_tool_server(client: AgentClient) -> None:
    result = client.say("take a photo")
    assert result.error_code == ErrorCode.SERVER_UNAVAILABLE
    assert "I could not take a photo" in result.reply


def test_agent_rejects_approval_decision_without_pending_call(client: AgentClient) -> None:
    assert client.decide(uuid_message(uuid.uuid4()), True).error_code == ErrorCode.INVALID_GOAL
