"""Tests of requests to the vision routes, and of the responses.

The tests of the vision node cover the analysis of images.
"""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway import problem
from reachy_agent_ros.gateway.access.token_file import TokenAuthenticator, TokenFile
from reachy_agent_ros.gateway.application import PREFIX, protect
from reachy_agent_ros.gateway.models.vision import AnalysisAnswer, DetectedObject
from reachy_agent_ros.gateway.routes import vision

PICTURE = base64.b64encode(b"a picture").decode()
APPLE = DetectedObject(name="apple", confidence=0.9, box=(1.0, 2.0, 3.0, 4.0))


class Viewer:
    """Test double of the vision service. It records requests, and streams two pictures before it fails."""

    def __init__(self) -> None:
        self.asked: list[tuple[bytes, str]] = []
        self.watching = 0

    async def analyze(self, question: str) -> AnalysisAnswer:
        return await self.analyze_picture(b"", question)

    async def analyze_picture(self, picture: bytes, question: str) -> AnalysisAnswer:
        self.asked.append((picture, question))
        return AnalysisAnswer(description="An apple.", objects=[APPLE], scene_type="office")

    @asynccontextmanager
    async def watch(self) -> AsyncIterator[AsyncIterator[bytes]]:
        self.watching += 1
        try:
            yield self._pictures()
        finally:
            self.watching -= 1

    async def _pictures(self) -> AsyncIterator[bytes]:
        if self.watching == 1:
            yield b"one"
            yield b"two"
        raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, "The camera sent no picture for 5 s.")


@pytest.fixture
def viewer() -> Viewer:
    return Viewer()


@pytest.fixture
def client(viewer: Viewer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    app = FastAPI()
    tokens = TokenFile(tmp_path_factory.mktemp("tokens") / "tokens.json")
    app.state.gateway = SimpleNamespace(vision=viewer, authenticator=TokenAuthenticator(tokens, local=True))
    problem.install(app)
    protect(app)
    app.include_router(vision.router, prefix=PREFIX)
    with TestClient(app, base_url=f"http://localhost{PREFIX}/vision", raise_server_exceptions=False) as client:
        yield client


def test_vision_route_accepts_picture_in_every_format(client: TestClient, viewer: Viewer) -> None:
    answers = [
        client.post("analyze", json={"image": PICTURE, "prompt": "Why?"}),
        client.post("analyze", json={"image": f"data:image/png;base64,{PICTURE}", "prompt": "Why?"}),
        client.post("analyze", files={"image": b"a picture"}, data={"prompt": "Why?"}),
        client.post("analyze", data={"prompt": "Why?", "image": PICTURE}, files={"other": b""}),
        client.post("analyze?prompt=Why?", content=b"a picture", headers={"Content-Type": "image/png"}),
    ]
    assert [answer.json() for answer in answers] == [
        {
            "description": "An apple.",
            "objects": [{"name": "apple", "confidence": 0.9, "box": [1.0, 2.0, 3.0, 4.0]}],
            "scene_type": "office",
        }
    ] * len(answers)
    assert viewer.asked == [(b"a picture", "Why?")] * len(answers)


def test_vision_route_uses_robot_camera_if_request_has_no_picture(client: TestClient, viewer: Viewer) -> None:
    for sent in ({}, {"json": {}}, {"json": {"image": "", "prompt": "  "}}):
        assert client.post("analyze", **sent).status_code == 200
    assert viewer.asked == [(b"", vision.QUESTION)] * 3


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"{", "application/json", 422),
        (b'{"image": 5}', "application/json", 422),
        (b'{"image": "%%"}', "application/json", 422),
        ('{"image": "ä"}'.encode(), "application/json", 422),
        (b'{"prompt": "' + 2_001 * b"a" + b'"}', "application/json", 422),
        (b"hello", "text/plain", 415),
        (b"hello", "", 415),
        (b"hello", "multipart/form-data", 400),
        (b"hello", "multipart/form-data; boundary=x", 400),
    ],
)
def test_malformed_vision_request_returns_problem(
    client: TestClient, viewer: Viewer, content: bytes, kind: str, status: int
) -> None:
    answer = client.post("analyze", content=content, headers={"Content-Type": kind})
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == problem.MEDIA_TYPE
    assert not viewer.asked


def test_video_stream_ends_when_camera_fails(client: TestClient, viewer: Viewer) -> None:
    answer = client.get("stream")
    assert answer.headers["content-type"] == "multipart/x-mixed-replace; boundary=frame"
    assert [part.rpartition(b"\r\n\r\n")[2] for part in answer.content.split(b"\r\n--frame")] == [b"one", b"two\r\n"]
    assert viewer.watching == 0


def test_video_stream_without_pictures_returns_problem(client: TestClient, viewer: Viewer) -> None:
    viewer.watching = 1
    answer = client.get("stream")
    assert (answer.status_code, answer.json()["code"]) == (503, "CAMERA_UNAVAILABLE")
    assert viewer.watching == 1
