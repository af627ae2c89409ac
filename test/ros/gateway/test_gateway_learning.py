"""Feedback, demonstrations and training over HTTP, with real nodes."""

from __future__ import annotations

import json
import math
import time
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from reachy_agent_msgs.msg import ActionRecord as ActionRecordMessage
from std_msgs.msg import Header
from websockets.sync.client import connect

from reachy_agent_ros.core import names
from reachy_agent_ros.learning.action_record import ActionRecord
from reachy_agent_ros.ros.action_records import act_message
from reachy_agent_ros.ros.rclpy_ext.qos import RECENT
from support.nodes.gateway_client import gateway_client
from support.nodes.node_process import NodeProcess, Ros
from support.waiting import PATIENCE, wait_until

TRAINING = 120.0
"""Timeout for the start and the end of a training process on a busy machine, s."""

NOD: list[dict[str, Any]] = [{"time": 0.0}, {"time": 0.5, "head": {"pitch": 0.25}}, {"time": 1.0, "head": {}}]


@pytest.fixture(scope="module")
def client(ros: Ros, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    state = {"directory": str(tmp_path_factory.mktemp("state"))}
    with (
        NodeProcess("hardware_bridge", {"breathing_pause": 0.0}) as bridge,
        NodeProcess("feedback", state) as feedback,
        NodeProcess("trainer", {**state, "niceness": 0}) as trainer,
        gateway_client(ros, state) as client,
    ):
        for node in (bridge, feedback, trainer):
            node.wait_ready()
        wait_until(lambda: client.get("/policies").status_code == 200)
        yield client


@pytest.fixture
def turn(ros: Ros) -> uuid.UUID:
    """Publishes a recent action and returns the id of its turn."""
    publisher = ros.node.create_publisher(ActionRecordMessage, names.ACTION_RECORDS, RECENT)
    wait_until(lambda: publisher.get_subscription_count() >= 2)
    now, turn_id = time.time(), uuid.uuid4()
    context, action = {"target_pitch": 0.0, "target_yaw": 0.0}, {"pitch": 0.0, "yaw": 0.0}
    act = ActionRecord(uuid.uuid4(), turn_id, "look_at_object", context, action, 1.0, "0", now - 2.0, now - 1.0)
    publisher.publish(act_message(Header(), act))
    return turn_id


def shown(client: httpx.Client, actions: list[dict[str, Any]]) -> httpx.Response:
    return client.post("/demonstration", json={"task_description": "A small nod", "actions": actions})


def test_gateway_stores_and_lists_feedback(client: httpx.Client, turn: uuid.UUID) -> None:
    body = {"episode_id": str(turn), "feedback_text": "that was great", "person": "Ada"}
    wait_until(lambda: client.post("/feedback", json=body).status_code == 200)
    kept = client.post("/feedback", json={**body, "rating": 0.5}).json()
    assert (kept["status"], kept["judged"], kept["episode_id"]) == ("stored", "look_at_object", str(turn))
    assert (kept["reward"], kept["sign"]) == (pytest.approx(0.5), 1)
    latest = client.get("/feedback", params={"limit": 1}).json()["feedback"][0]
    assert (latest["feedback_id"], latest["person"], latest["rating"]) == (kept["feedback_id"], "Ada", 0.5)
    rewards = client.get("/rewards", params={"skill": "look_at_object"}).json()["rewards"]
    assert rewards[0]["feedback_id"] == kept["feedback_id"]
    assert client.get("/rewards", params={"since": rewards[0]["given"]}).json()["rewards"] == []


def test_feedback_websocket_confirms_feedback_and_stops_robot_on_stop(client: httpx.Client, turn: uuid.UUID) -> None:
    url = str(client.base_url).replace("http", "ws")
    with connect(f"{url}ws/live_feedback") as socket:

        def worth(words: str) -> dict[str, Any]:
            socket.send(words)
            return dict(json.loads(socket.recv(PATIENCE)))

        wait_until(lambda: worth("great").get("status") == "stored")
        assert worth("great")["reward"] > 0.0
        assert worth("bad")["reward"] < 0.0
        assert worth("stop")["stop"]
    wait_until(lambda: client.get("/state").json()["emergency_stopped"])
    assert not client.post("/stop/reset").json()["emergency_stopped"]


def test_invalid_feedback_returns_problem(client: httpx.Client) -> None:
    answer = client.post("/feedback", json={"feedback_text": " "})
    assert (answer.status_code, answer.json()["code"]) == (422, "EMPTY_TEXT")
    elsewhere = {"feedback_text": "good", "episode_id": str(uuid.uuid4())}
    assert client.post("/feedback", json=elsewhere).status_code == 404


def test_gateway_stores_only_valid_uploaded_demonstration(client: httpx.Client) -> None:
    made = shown(client, NOD).json()
    assert (made["status"], made["skill"], made["duration"]) == ("stored", "a_small_nod", pytest.approx(1.0))
    kept = [one["demo_id"] for one in client.get("/demonstration").json()["demonstrations"]]
    assert made["demo_id"] in kept
    refused = shown(client, [*NOD, {"time": 2.0, "head": {"pitch": 0.9}}])
    assert (refused.status_code, refused.json()["code"]) == (422, "OUT_OF_ENVELOPE")
    assert "At 2.00 s head.pitch" in refused.json()["detail"]


def test_gateway_starts_and_finishes_recording_of_demonstration(client: httpx.Client) -> None:
    order = {"skill": "wave", "prompt": "wave like this", "method": "teleoperation"}
    assert client.post("/demonstration/record", json=order).status_code == 202
    assert client.post("/demonstration/record", json=order).status_code == 409
    wait_until(lambda: client.get("/training/status").json()["state"] == "recording")
    made = client.delete("/demonstration/record").json()
    assert (made["skill"], made["status"]) == ("wave", "stored")
    assert client.delete("/demonstration/record").status_code == 404


def test_gateway_starts_monitors_and_cancels_training(client: httpx.Client) -> None:
    shown(client, NOD)
    begun = client.post("/training", json={"skill": "a_small_nod", "algorithm": "behavioral_cloning"})
    assert (begun.status_code, begun.json()["state"]) == (202, "training")
    assert begun.json()["skill"] == "a_small_nod"
    client.delete("/training")
    wait_until(lambda: client.get("/training/status").json()["state"] == "idle", timeout=TRAINING)
    assert client.delete("/training").status_code == 404


@pytest.mark.nightly
def test_training_status_reports_failure_of_training(client: httpx.Client) -> None:
    client.post("/training", json={"skill": "nobody_showed_it"})
    wait_until(lambda: "nobody_showed_it" in client.get("/training/status").json()["error"], timeout=TRAINING)


def test_gateway_lists_and_pins_policy_versions(client: httpx.Client, turn: uuid.UUID) -> None:
    correction = {"episode_id": str(turn), "feedback_text": "too far to the left"}
    wait_until(lambda: client.post("/feedback", json=correction).status_code == 200)
    wait_until(lambda: len(client.get("/policies").json()["policies"]) > 0)
    skill = client.get("/policies").json()["policies"][0]["skill"]
    pinned = client.post(f"/policies/{skill}", json={"operation": "pin"}).json()
    assert (pinned["skill"], pinned["pinned"]) == (skill, True)
    assert not client.post(f"/policies/{skill}", json={"operation": "unpin"}).json()["pinned"]
    assert client.post("/policies/no_such_skill", json={"operation": "pin"}).status_code == 404
    assert client.post(f"/policies/{skill}", json={"operation": "forget"}).status_code == 422


def test_gateway_deletes_learned_skill(client: httpx.Client, turn: uuid.UUID) -> None:
    correction = {"episode_id": str(turn), "feedback_text": "too far to the left"}
    wait_until(lambda: client.post("/feedback", json=correction).status_code == 200)
    wait_until(lambda: len(client.get("/policies").json()["policies"]) > 0)
    deleted = client.delete("/policies/look_at_object").json()
    assert (deleted["skill"], deleted["version"]) == ("look_at_object", 0)
    assert client.get("/policies").json()["policies"] == []
    assert client.delete("/policies/look_at_object").status_code == 404


def test_gateway_moves_head_of_simulated_robot_by_teaching_only_during_recording(client: httpx.Client) -> None:
    pose = {"yaw": 0.3, "pitch": 0.2}
    refused = client.post("/demonstration/lead", json=pose)
    assert (refused.status_code, refused.json()["detail"]) == (
        422,
        "The motors are not free. Start recording a demonstration first.",
    )
    order = {"skill": "nod", "prompt": "nod like this", "method": "hand"}
    assert client.post("/demonstration/record", json=order).status_code == 202
    wait_until(lambda: client.post("/demonstration/lead", json=pose).status_code == 204)

    def led() -> bool:
        assert client.post("/demonstration/lead", json=pose).status_code == 204
        head = client.get("/state").json()["head_pose"]
        return math.atan2(head[4], head[0]) == pytest.approx(0.3, abs=0.05)

    wait_until(led, "the head to follow the hand")
    assert client.delete("/demonstration/record").json()["status"] == "stored"
