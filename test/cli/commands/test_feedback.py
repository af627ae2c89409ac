"""Tests of feedback about actions. The tests report the actions to a running feedback node."""

from __future__ import annotations

import json
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from reachy_agent_msgs.msg import ActionRecord
from std_msgs.msg import Header

from reachy_agent_ros.agent.traces.trace import Span, SpanKind
from reachy_agent_ros.agent.traces.trace_store import SpanRecord, TraceRetention, TraceStore
from reachy_agent_ros.cli.cli import main
from reachy_agent_ros.core import names
from reachy_agent_ros.core.names import NAMESPACE
from reachy_agent_ros.ros.action_records import act_message
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.process import EventlessNode
from reachy_agent_ros.ros.rclpy_ext.qos import RECENT
from support.domains import Purpose
from support.learning.feedback_cases import act
from support.logged_process import LoggedProcess
from support.nodes.node_process import isolated
from support.waiting import wait_until


@pytest.fixture(scope="module")
def turn_id(tmp_path_factory: pytest.TempPathFactory) -> Iterator[uuid.UUID]:
    """Reports a turn that can be rated, and yields its id."""
    with ExitStack() as running:
        running.enter_context(isolated(tmp_path_factory.mktemp("feedback"), Purpose.GRAPH))
        command = [sys.executable, "-m", "reachy_agent_ros.ros.feedback.feedback"]
        running.enter_context(LoggedProcess(command, names.FEEDBACK))
        client = running.enter_context(GraphClient("test", NAMESPACE))
        watch = HeartbeatMonitor(client.node, names.FEEDBACK)
        wait_until(lambda: watch.ready, "the node to be ready")
        yield _done(client)


def _done(client: GraphClient, skill: str = "look_at_object") -> uuid.UUID:
    acts = client.node.create_publisher(ActionRecord, names.ACTION_RECORDS, RECENT)
    wait_until(lambda: acts.get_subscription_count() > 0, "the node to listen")
    now = time.time()
    done = act(uuid.uuid4(), began=now - 2.0, ended=now - 1.0, skill=skill)
    acts.publish(act_message(Header(), done))
    assert done.turn_id is not None
    known = ["feedback", "--rating", "0", "--turn", str(done.turn_id)]
    wait_until(lambda: main(known) == 0, "the action to be known")
    return done.turn_id


def test_feedback_prints_rated_action_and_reward(turn_id: uuid.UUID, capfd: pytest.CaptureFixture[str]) -> None:
    capfd.readouterr()
    assert main(["feedback", "too far down", "--turn", str(turn_id)]) == 0
    words = capfd.readouterr().out
    assert words.startswith("look_at_object (version look-3): -0.")
    assert "wants pitch_up" in words


def test_feedback_with_rating_and_text_prints_one_json_object(
    turn_id: uuid.UUID, capfd: pytest.CaptureFixture[str]
) -> None:
    capfd.readouterr()
    words = ["feedback", "sick", "--rating", "0.8", "--person", "Ada", "--turn", str(turn_id), "--json"]
    assert main(words) == 0
    line = json.loads(capfd.readouterr().out)
    assert (line["turn_id"], line["rating"], line["sign"]) == (str(turn_id), 0.8, 1)
    assert list(line["acts"].values()) == [1.0]


def test_feedback_prints_lesson_of_trainer_that_command_has_yet_to_discover(
    turn_id: uuid.UUID, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        LoggedProcess([sys.executable, "-m", "reachy_agent_ros.ros.trainer.trainer"], names.TRAINER),
        GraphClient("test", NAMESPACE) as client,
    ):
        watch = HeartbeatMonitor(client.node, names.TRAINER)
        wait_until(lambda: watch.ready, "the trainer to be ready")
        turned = _done(client, "move_head")
        monkeypatch.setattr(EventlessNode, "count_publishers", lambda _node, _topic: 0)
        capfd.readouterr()
        assert main(["feedback", "too far left", "--turn", str(turned)]) == 0
        assert "Nothing was learned: I cannot learn another way to turn my head." in capfd.readouterr().out


def test_feedback_accepts_prefix_of_turn_id(turn_id: uuid.UUID, capfd: pytest.CaptureFixture[str]) -> None:
    span = SpanRecord(turn_id, "default", time.time(), Span(0, SpanKind.TURN, "typed", 0.0, 0.6))
    TraceStore().add([span], {}, TraceRetention())
    capfd.readouterr()
    assert main(["feedback", "too far down", "--turn", turn_id.hex[:8], "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["turn_id"] == str(turn_id)


def test_invalid_feedback_is_reported_on_stderr(turn_id: uuid.UUID, capfd: pytest.CaptureFixture[str]) -> None:
    capfd.readouterr()
    assert main(["feedback"]) == 2
    assert main(["feedback", "good", "--turn", "no id"]) == 1
    assert main(["feedback", "good", "--turn", str(uuid.uuid4())]) == 1
    assert main(["feedback", "--rating", "7", "--turn", str(turn_id)]) == 2
    told = capfd.readouterr()
    assert told.out == ""
    assert "Nothing was done in turn" in told.err


def test_feedback_command_reports_stop_only_if_bridge_confirms_it(
    turn_id: uuid.UUID, capfd: pytest.CaptureFixture[str]
) -> None:
    stop = ["feedback", "no! stop!", "--turn", str(uuid.uuid4())]
    assert main(stop) == 3
    told = capfd.readouterr().err
    assert "No graph runs" in told
    assert "is stopped" not in told
    with (
        LoggedProcess(
            [sys.executable, "-m", "reachy_agent_ros.ros.hardware_bridge.hardware_bridge"], names.HARDWARE_BRIDGE
        ),
        GraphClient("test", NAMESPACE) as client,
    ):
        watch = HeartbeatMonitor(client.node, names.HARDWARE_BRIDGE)
        wait_until(lambda: watch.ready, "the bridge to be ready")
        assert main(stop) == 1
        assert "The robot is stopped." in capfd.readouterr().err
