"""Tests of the feedback WebSocket. The test controls when the feedback service stores feedback."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway import problem
from reachy_agent_ros.gateway.access.rate_limit import RATE
from reachy_agent_ros.gateway.access.token_file import TokenFile
from reachy_agent_ros.gateway.application import protect
from reachy_agent_ros.gateway.bind_config import BindConfig
from reachy_agent_ros.gateway.models.feedback import FeedbackAnswer, FeedbackRequest
from reachy_agent_ros.gateway.routes import feedback
from reachy_agent_ros.nlu.stop_rule import is_urgent_stop
from support.waiting import PATIENCE

STORED = FeedbackAnswer(
    status="stored",
    reward=0.8,
    sign=1,
    confidence=0.9,
    axes=[],
    stop=False,
    judged="look",
    episode_id="t",
    policy_version="1",
    question="",
    feedback_id="f",
)


class Judge:
    """Test double of the feedback service. It waits until the test allows it to store feedback.

    Attributes:
        given: Feedback received.
        stopped: Set when a stop was received.
        may_store: Set to let storage finish.
        unreachable: Whether a stop fails to reach the robot.
    """

    def __init__(self) -> None:
        self.given: list[FeedbackRequest] = []
        self.stopped = threading.Event()
        self.may_store = threading.Event()
        self.may_store.set()
        self.unreachable = False

    def stop_if_urgent(self, text: str, _who: str) -> bool:
        if is_urgent_stop(text):
            self.stopped.set()
        return is_urgent_stop(text)

    async def stop(self) -> None:
        """Simulates a stop of the robot. This class also replaces the motion service."""
        if self.unreachable:
            raise AgentError(ErrorCode.ROBOT_DISCONNECTED, "The stop did not reach the robot.")

    async def give(self, asked: FeedbackRequest) -> FeedbackAnswer:
        await asyncio.to_thread(self.may_store.wait, PATIENCE)
        self.given.append(asked)
        if "stop" in asked.feedback_text:
            raise AgentError(ErrorCode.NO_DATA, "There is no action to judge.")
        return STORED


@pytest.fixture
def judge() -> Judge:
    return Judge()


@pytest.fixture
def client(judge: Judge, tmp_path: Path) -> TestClient:
    return served(judge, tmp_path)


def served(judge: Judge, tmp_path: Path, rate: str = RATE) -> TestClient:
    app = FastAPI()
    app.state.gateway = SimpleNamespace(
        authenticator=BindConfig().authenticator(TokenFile(tmp_path / "tokens.json")), feedback=judge, robot=judge
    )
    problem.install(app)
    protect(app, rate=rate)
    for router in (feedback.router, feedback.live_router):
        app.include_router(router, prefix="/api/v1")
    return TestClient(app, base_url="http://127.0.0.1:8042", raise_server_exceptions=False)


@pytest.fixture
def socket(client: TestClient) -> Iterator[WebSocketTestSession]:
    with client.websocket_connect("/api/v1/ws/live_feedback", headers={"host": "127.0.0.1:8042"}) as socket:
        yield socket


def test_feedback_as_text_or_json_returns_reward(socket: WebSocketTestSession, judge: Judge) -> None:
    for frame in ("great", '{"feedback_text": "nice", "rating": 0.5, "person": "Ada"}', '"good"', "5"):
        socket.send_text(frame)
        assert socket.receive_json()["reward"] == 0.8
    assert [one.feedback_text for one in judge.given] == ["great", "nice", '"good"', "5"]
    assert (judge.given[1].rating, judge.given[1].person) == (0.5, "Ada")


@pytest.mark.parametrize(
    "frame", ["stop", '{"feedback_text": "STOP"}', '{"feedback_text": "stop", "rating": 7}', '{"feedback_text": "stop']
)
def test_stop_acts_before_queued_feedback_and_even_if_malformed(
    socket: WebSocketTestSession, judge: Judge, frame: str
) -> None:
    judge.may_store.clear()
    socket.send_text("good")
    socket.send_text(frame)
    assert judge.stopped.wait(PATIENCE)
    assert not judge.given
    judge.may_store.set()
    assert socket.receive_json()["status"] == "stored"
    assert socket.receive_json().keys() & {"stop", "detail"}


def test_stop_without_action_to_judge_succeeds(socket: WebSocketTestSession) -> None:
    socket.send_bytes(b"stop")
    answer = socket.receive_json()
    assert (answer["status"], answer["stop"], answer["reward"]) == ("stopped", True, -1.0)


def test_failed_stop_in_feedback_returns_problem(socket: WebSocketTestSession, judge: Judge) -> None:
    judge.unreachable = True
    socket.send_text("stop")
    answer = socket.receive_json()
    assert (answer["code"], answer["detail"]) == ("ROBOT_DISCONNECTED", "The stop did not reach the robot.")


def test_invalid_feedback_returns_problem_and_keeps_websocket_open(socket: WebSocketTestSession) -> None:
    socket.send_text('{"rating": 7}')
    assert socket.receive_json()["code"] == "INVALID_ARGUMENTS"
    socket.send_text("good")
    assert socket.receive_json()["status"] == "stored"


def test_full_feedback_queue_accepts_only_stops(socket: WebSocketTestSession, judge: Judge) -> None:
    judge.may_store.clear()
    for _ in range(feedback.CAPACITY + 2):
        socket.send_text("good")
    assert socket.receive_json()["code"] == "RATE_EXCEEDED"
    socket.send_text("stop")
    assert judge.stopped.wait(PATIENCE)
    judge.may_store.set()


@pytest.mark.parametrize(
    "body",
    ['{"feedback_text": "stop", "rating": 7}', '{"rating": 0, "feedback_text": "halt!"}', '{"feedback_text": "stop'],
)
def test_stop_in_feedback_request_is_executed_before_validation(client: TestClient, judge: Judge, body: str) -> None:
    client.post("/api/v1/feedback", content=body, headers={"content-type": "application/json"})
    assert judge.stopped.is_set()


def test_rate_limit_applies_to_feedback_but_not_to_stops(judge: Judge, tmp_path: Path) -> None:
    client = served(judge, tmp_path, "1/hour")
    good, stop = {"feedback_text": "good"}, {"feedback_text": "stop!"}
    answers = [client.post("/api/v1/feedback", json=good) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 429]
    assert int(answers[1].headers["retry-after"]) >= 1
    assert not judge.stopped.is_set()
    for _ in range(2):  # a used idempotency key does not prevent the stop, either
        judge.stopped.clear()
        answer = client.post("/api/v1/feedback", json=stop, headers={"Idempotency-Key": "one"})
        assert (answer.status_code, answer.json()["status"]) == (200, "stopped")
        assert judge.stopped.is_set()
    assert client.get("/api/v1/feedback").status_code == 429
