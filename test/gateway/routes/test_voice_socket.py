"""Tests of the messages on the voice WebSocket.

The tests of the nodes cover speech recognition and synthesis.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AbstractContextManager
from types import SimpleNamespace

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient, WebSocketTestSession

from reachy_agent_ros.agent.permissions.principal import Principal
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway import problem
from reachy_agent_ros.gateway.access.token_file import TokenAuthenticator, TokenFile
from reachy_agent_ros.gateway.application import PREFIX, protect
from reachy_agent_ros.gateway.event_hub import Event, EventHub, Watcher
from reachy_agent_ros.gateway.roles import Role
from reachy_agent_ros.gateway.routes import voice
from support.waiting import wait_until

FRAME = bytes(640)
END = '{"type": "end"}'


class Listener:
    """Test double of the speech service. It records audio from one client at a time."""

    def __init__(self) -> None:
        self.hub = EventHub()
        self.streams: list[bytes] = []
        self.buttons: list[bool] = []
        self.speakers: list[Principal] = []
        self.clients: list[str] = []
        self.left: list[str] = []
        self.taken = False

    def watch(self) -> AbstractContextManager[Watcher]:
        return self.hub.watch()

    def leave(self, client: str) -> None:
        self.left.append(client)

    async def open(self, *, client: str, button: bool, speaker: Principal) -> Listener:
        if self.taken:
            raise AgentError(ErrorCode.COMMANDER_BUSY, "Another client is speaking.")
        self.taken = True
        self.streams.append(b"")
        self.buttons.append(button)
        self.clients.append(client)
        self.speakers.append(speaker)
        self.hub.publish(Event("listening", {"data": True}))
        return self

    async def hear(self, sound: bytes) -> None:
        self.streams[-1] += sound

    async def close(self) -> None:
        await asyncio.sleep(0)
        self.taken = False


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def client(listener: Listener, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    app = FastAPI()
    tokens = TokenFile(tmp_path_factory.mktemp("tokens") / "tokens.json")
    app.state.gateway = SimpleNamespace(voice=listener, authenticator=TokenAuthenticator(tokens, local=False))
    problem.install(app)
    protect(app)
    app.include_router(voice.socket_router, prefix=PREFIX)
    with TestClient(app, base_url="http://localhost") as client:
        client.headers["Authorization"] = f"Bearer {tokens.make('person', Role.OPERATOR)}"
        yield client


def dial(client: TestClient, query: str = "") -> WebSocketTestSession:
    return client.websocket_connect(f"ws://localhost{PREFIX}/ws/voice{query}")


def kinds(socket: WebSocketTestSession, count: int) -> set[str]:
    return {str(socket.receive_json()["type"]) for _ in range(count)}


def test_voice_websocket_forwards_audio_until_end_message(client: TestClient, listener: Listener) -> None:
    with dial(client) as socket:
        for size in (2, 640, 64_000):
            socket.send_bytes(bytes(size))
        socket.send_text(END)
        assert kinds(socket, 2) == {"microphone", "listening"}
        assert socket.receive_json() == {"type": "microphone", "data": "free"}
    assert (list(map(len, listener.streams)), listener.buttons) == ([64_642], [True])


def test_speaker_is_identified_by_token(client: TestClient, listener: Listener) -> None:
    with dial(client) as socket:
        socket.send_bytes(FRAME)
        kinds(socket, 2)
    (speaker,) = listener.speakers
    assert speaker.token.startswith("token:person#")


def test_speech_requires_wake_name_if_client_sends_button_false(client: TestClient, listener: Listener) -> None:
    with dial(client, "?button=false") as socket:
        socket.send_bytes(FRAME)
        kinds(socket, 2)
    assert listener.buttons == [False]


def test_disconnect_of_voice_websocket_releases_microphone(client: TestClient, listener: Listener) -> None:
    with dial(client) as socket:
        socket.send_bytes(FRAME)
        kinds(socket, 2)
        assert listener.taken
    wait_until(lambda: not listener.taken, "the microphone to be released")


@pytest.mark.parametrize("frame", [b"odd", bytes(64_002)])
def test_voice_websocket_rejects_invalid_audio_frame_and_continues(
    client: TestClient, listener: Listener, frame: bytes
) -> None:
    with dial(client) as socket:
        socket.send_bytes(frame)
        refused = socket.receive_json()
        assert (refused["type"], refused["code"]) == ("problem", "AUDIO_UNSUPPORTED")
        assert str(len(frame)) in refused["data"]
        socket.send_bytes(FRAME)
        kinds(socket, 2)
    assert listener.streams == [FRAME]


@pytest.mark.parametrize("text", ["", "{}", "[1]", "end", '{"type": "start"}', "[" * 10_000])
def test_voice_websocket_rejects_unknown_text_message(client: TestClient, text: str) -> None:
    with dial(client) as socket:
        socket.send_text(text)
        assert socket.receive_json()["code"] == "INVALID_ARGUMENTS"


def test_second_voice_client_receives_one_error_and_may_retry(client: TestClient, listener: Listener) -> None:
    listener.taken = True
    with dial(client) as socket:
        for _ in range(3):
            socket.send_bytes(FRAME)
        assert socket.receive_json()["code"] == "COMMANDER_BUSY"
        listener.taken = False
        socket.send_text(END)
        socket.send_bytes(FRAME)
        assert kinds(socket, 2) == {"microphone", "listening"}


def test_pause_in_audio_releases_microphone(
    client: TestClient, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(voice, "PAUSE", 0.01)
    with dial(client) as socket:
        socket.send_bytes(FRAME)
        kinds(socket, 2)
        assert socket.receive_json() == {"type": "microphone", "data": "free"}
        assert not listener.taken


def test_voice_client_is_removed_only_when_websocket_closes(client: TestClient, listener: Listener) -> None:
    with dial(client) as socket:
        for count in (1, 2):
            socket.send_bytes(FRAME)
            socket.send_text(END)
            wait_until(lambda count=count: len(listener.clients) == count and not listener.taken)
        assert listener.left == []
    wait_until(lambda: bool(listener.left))
    assert listener.clients == listener.left * 2
