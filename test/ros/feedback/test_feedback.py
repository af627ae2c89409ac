"""Node `feedback` in a separate process that receives feedback over ROS."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from reachy_agent_msgs.action import ExecuteMotion
from reachy_agent_msgs.msg import Feedback, RobotState, SpeakingState
from std_msgs.msg import String

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.nlu.stop_rule import is_urgent_stop
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED
from support.nodes.bridge_client import BridgeClient
from support.nodes.feedback_client import FeedbackClient, resident, turn_of
from support.nodes.node_process import NodeProcess, Ros
from support.waiting import PATIENCE, wait_until

MEGABYTE = "blah. " * 170_000

LEARNED_STOP = "get out of my face"
"""Text that the reward model recognizes as an urgent stop, but the stop detector does not."""

UNCLEAR = ("mmh, that was quite a thing, wasn't it", "oh my", "so that happened", "wow ok then", "that was something")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("feedback")


@pytest.fixture(scope="module")
def process(ros: Ros, folder: Path) -> Iterator[NodeProcess]:
    with NodeProcess("feedback", {"directory": str(folder)}) as process:
        yield process.wait_ready()
        assert process.stop() == 0


@pytest.fixture(scope="module")
def joined(ros: Ros, process: NodeProcess) -> FeedbackClient:
    return FeedbackClient(ros)


@pytest.fixture
def client(joined: FeedbackClient) -> FeedbackClient:
    joined.rewards.clear()
    joined.stops.clear()
    return joined


def stored(folder: Path) -> list[str]:
    with sqlite3.connect(folder / "feedback.db") as database:
        return [row[0] for row in database.execute("SELECT text FROM judgements")]


def test_urgent_stop_on_text_topic_stops_dance(client: FeedbackClient, ros: Ros) -> None:
    with NodeProcess("hardware_bridge", {"robot": "mujoco", "scene": "empty"}) as process:
        process.wait_ready()
        bridge = BridgeClient(ros)
        dance = bridge.begin(ExecuteMotion.Goal(kind=ExecuteMotion.Goal.DANCE, name=dances()[0], commander="test"))
        wait_until(lambda: bridge.state().activity == RobotState.MOVING, "the dance")
        client.words.publish(String(data="No! Stop!"))
        assert dance.result(PATIENCE).error_code == ErrorCode.EMERGENCY_STOPPED
        assert bridge.state().emergency_stopped


@pytest.mark.parametrize("where", ["plain", "service", "typed"])
def test_stop_detected_by_reward_model_stops_robot(client: FeedbackClient, ros: Ros, where: str) -> None:
    assert not is_urgent_stop(LEARNED_STOP)
    with NodeProcess("hardware_bridge", {"robot": "mujoco", "scene": "empty"}) as process:
        process.wait_ready()
        bridge = BridgeClient(ros)
        client.do()
        if where == "plain":
            client.words.publish(String(data=LEARNED_STOP))
        elif where == "service":
            assert client.give(LEARNED_STOP).reward.stop
        else:
            client.type(LEARNED_STOP)
        wait_until(lambda: bridge.state().emergency_stopped, "the stop")
        wait_until(lambda: bool(client.stops), "the stop's message")
    assert len(client.stops) == 1


def test_reward_model_ignores_stop_that_agent_executed(client: FeedbackClient) -> None:
    client.do()
    client.type(LEARNED_STOP, reflex="act")
    client.type("well done")
    client.reward()
    assert not client.stops


@pytest.mark.parametrize("where", ["plain", "service", "typed", "spoken"])
def test_urgent_stop_works_on_every_input_without_preceding_action(client: FeedbackClient, where: str) -> None:
    cry = "let go of my finger!"
    if where == "plain":
        client.words.publish(String(data=cry))
    elif where == "service":
        assert client.give(cry).reward.stop
    elif where == "typed":
        client.type(cry)
    else:
        client.say(cry)
    wait_until(lambda: any(stop.data for stop in client.stops), "the stop")


def test_feedback_node_detects_stop_in_middle_of_long_text(client: FeedbackClient) -> None:
    half = MEGABYTE[: len(MEGABYTE) // 2]
    client.words.publish(String(data=f"{half}STOP! {half}"))
    wait_until(lambda: bool(client.stops), "the stop")
    assert client.watch.alive


def test_feedback_node_does_not_repeat_spoken_stop_executed_by_agent(client: FeedbackClient) -> None:
    client.say("stop")
    client.say("let go of me!")
    wait_until(lambda: bool(client.stops), "the stop")
    assert len(client.stops) == 1


def test_feedback_node_credits_feedback_to_latest_action(client: FeedbackClient, folder: Path) -> None:
    turn_id = client.do()
    client.words.publish(String(data="too far down"))
    reward = client.reward()
    assert (turn_of(reward), reward.action, list(reward.axes)) == (turn_id, "look_at_object", ["pitch_up"])
    assert reward.stored
    assert "too far down" in stored(folder)


def test_give_feedback_service_responds_after_storing(client: FeedbackClient, folder: Path) -> None:
    turn_id = client.do()
    answer = client.give("that was it exactly, well done", person="Ada")
    assert "that was it exactly, well done" in stored(folder)
    assert (answer.error_code, turn_of(answer.reward), answer.reward.sign) == (ErrorCode.NONE, turn_id, 1)
    assert client.reward().feedback_id == answer.reward.feedback_id


@pytest.mark.parametrize(
    ("feedback", "code"),
    [
        ({"text": ""}, ErrorCode.EMPTY_TEXT),
        ({"text": MEGABYTE}, ErrorCode.INVALID_ARGUMENTS),
        ({"text": "good", "has_rating": True, "rating": float("nan")}, ErrorCode.NOT_FINITE),
        ({"text": "good", "source": 77}, ErrorCode.INVALID_ARGUMENTS),
        ({"text": "good", "turn_id": uuid.uuid4()}, ErrorCode.NO_DATA),
    ],
)
def test_give_feedback_service_rejects_invalid_feedback_with_error_code(
    client: FeedbackClient, feedback: dict[str, object], code: ErrorCode
) -> None:
    answer = client.give(**feedback)
    assert answer.error_code == code
    assert answer.error_msg
    assert not client.rewards


def test_feedback_node_stores_contradictory_feedback_of_two_people(client: FeedbackClient) -> None:
    client.do()
    given = [("Ada", 1.0), ("Bob", -1.0)] * 3
    for person, rating in given:
        client.give(source=Feedback.RATING, has_rating=True, rating=rating, person=person)
    assert [client.reward().rating for _ in given] == [rating for _, rating in given]


def test_typed_text_is_stored_only_if_it_is_feedback(client: FeedbackClient) -> None:
    client.do()
    for words in ("what time is it", "I like apples"):
        client.type(words)
    client.type("I said look left", reflex="act")
    client.type("well done")
    assert client.reward().rating > 0.5
    assert not client.rewards


def test_answer_to_feedback_question_credits_action_of_question(client: FeedbackClient) -> None:
    turn_id = client.do()
    assert "Did you like that?" in [client.give(words).question for words in UNCLEAR]
    wait_until(lambda: len(client.rewards) == len(UNCLEAR), "their rewards")
    client.rewards.clear()
    client.do(skill="nod")
    client.type("yes")
    reward = client.reward()
    assert (turn_of(reward), reward.rating) == (turn_id, pytest.approx(0.7))


def test_repeated_command_interruption_and_takeover_give_negative_reward(client: FeedbackClient) -> None:
    client.do(ago=0.0)
    client.type("turn to the lamp")
    client.type("turn to the lamp")
    assert client.reward().rating < 0.0
    client.do(ago=0.0)
    client.interrupt()
    assert client.reward().rating < 0.0
    client.do(ago=0.0)
    client.guide()
    assert client.reward().rating < 0.0


@pytest.fixture(scope="module")
def spoken(ros: Ros, folder: Path) -> Iterator[list[str]]:
    """Starts the trainer and the voice, and yields the texts that the robot has begun to speak."""
    texts: list[str] = []
    ros.node.create_subscription(
        SpeakingState, names.SPEAKING_STATE, lambda state: texts.append(state.text if state.speaking else ""), LATCHED
    )
    with NodeProcess("tts") as voice, NodeProcess("trainer", {"directory": str(folder)}) as trainer:
        voice.wait_ready()
        trainer.wait_ready()
        yield texts


# Criticism without a correction comes first: after a remark, it would refer to the remark.
@pytest.mark.parametrize("text", ["that was wrong", "that was too far", "that was too far up"])
def test_robot_says_after_criticism_that_action_cannot_be_corrected(
    client: FeedbackClient, spoken: list[str], text: str
) -> None:
    spoken.clear()
    client.do(skill="move_head")
    client.type(text)
    wait_until(lambda: "I cannot learn another way to turn my head." in spoken, "the remark")
    wait_until(lambda: spoken[-1] == "", "the end of the remark")


def test_acknowledged_feedback_survives_database_outage(client: FeedbackClient, folder: Path) -> None:
    client.do()
    lock = sqlite3.connect(folder / "feedback.db", isolation_level=None)
    lock.execute("BEGIN EXCLUSIVE")
    assert client.give("well done, all of it").error_code == ErrorCode.NONE
    wait_until(lambda: client.status("database")["spool"] == "in use", "the spool to be told")
    assert client.status("database")["message"]
    lock.execute("ROLLBACK")
    lock.close()
    wait_until(lambda: client.status("database")["spool"] == "empty", "the database to be back")
    assert "well done, all of it" in stored(folder)


def test_flood_of_feedback_loses_neither_stop_nor_acknowledged_entries(
    client: FeedbackClient, process: NodeProcess, folder: Path
) -> None:
    turn_id = client.do()
    before = resident(process.process.pid)
    for number in range(20_000):
        client.words.publish(String(data=f"good {number}"))
        if number % 4_000 == 0:
            answer = client.give(f"better, {number}", turn_id=turn_id)
            assert answer.error_code != ErrorCode.NONE or f"better, {number}" in stored(folder)
    assert client.give("no! stop!").reward.stop
    wait_until(lambda: bool(client.stops), "the stop")
    wait_until(lambda: client.status("inbox")["refused"] != "0", "those that were refused to be told")
    assert resident(process.process.pid) < before + 100.0
    assert client.watch.alive
