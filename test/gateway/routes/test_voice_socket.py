"""The messages of the socket; who hears and speaks behind it is told apart in the tests of the node."""

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
from reachy_agent_ros.gateway.callers import Role
from reachy_agent_ros.gateway.event_hub import Event, EventHub, Watcher
from reachy_agent_ros.gateway.routes import voice
from support.waiting import wait_until

FRAME = bytes(640)
END = '{"type": "end"}'


class Listener:
    """Ears that keep what they hear, for one at a time."""

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
def ears() -> Listener:
    return Listener()


@pytest.fixture
def client(ears: Listener, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    app = FastAPI()
    tokens = TokenFile(tmp_path_factory.mktemp("tokens") / "tokens.json")
    app.state.gateway = SimpleNamespace(voice=ears, authenticator=TokenAuthenticator(tokens, local=False))
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


def test_sound_is_heard_until_its_end(client: TestClient, ears: Listener) -> None:
    with dial(client) as socket:
        for size in (2, 640, 64_000):
            socket.send_bytes(bytes(size))
        socket.send_text(END)
        assert kinds(socket, 2) == {"microphone", "listening"}
        assert socket.receive_json() == {"type": "microphone", "data": "free"}
    assert (list(map(len, ears.streams)), ears.buttons) == ([64_642], [True])


def test_robot_is_told_whose_token_speaks(client: TestClient, ears: Listener) -> None:
    with dial(client) as socket:
        socket.send_bytes(FRAME)
        kinds(socket, 2)
    (speaker,) = ears.speakers
    assert speaker.token.startswith("token:person#")


def test_without_the_button_the_robot_wants_its_name(client: TestClient, ears: Listener) -> None:
    with dial(client, "?button=false") as socket:
        socket.send_bytes(FRAME)
        kinds(socket, 2)
    assert ears.buttons == [False]


def test_who_hangs_up_gives_the_ears_back(client: TestClient, ears: Listener) -> None:
    with dial(client) as socket:
        socket.send_bytes(FRAME)
        kinds(socket, 2)
        assert ears.taken
    wait_until(lambda: not ears.taken, 10.0, "the ears to be free")


@pytest.mark.parametrize("frame", [b"odd", bytes(64_002)])
def test_a_frame_that_is_no_sound_is_refused_and_the_rest_goes_on(
    client: TestClient, ears: Listener, frame: bytes
) -> None:
    with dial(client) as socket:
        socket.send_bytes(frame)
        refused = socket.receive_json()
        assert (refused["type"], refused["code"]) == ("problem", "AUDIO_UNSUPPORTED")
        assert str(len(frame)) in refused["data"]
        socket.send_bytes(FRAME)
        kinds(socket, 2)
    assert ears.streams == [FRAME]


@pytest.mark.parametrize("text", ["", "{}", "[1]", "end", '{"type": "start"}', "[" * 10_000])
def test_other_texts_are_refused(client: TestClient, text: str) -> None:
    with dial(client) as socket:
        socket.send_text(text)
        assert socket.receive_json()["code"] == "INVALID_ARGUMENTS"


def test_who_comes_second_is_told_once_and_may_try_again(client: TestClient, ears: Listener) -> None:
    ears.taken = True
    with dial(client) as socket:
        for _ in range(3):
            socket.send_bytes(FRAME)
        assert socket.receive_json()["code"] == "COMMANDER_BUSY"
        ears.taken = False
        socket.send_text(END)
        socket.send_bytes(FRAME)
        assert kinds(socket, 2) == {"microphone", "listening"}


def test_a_pause_gives_the_ears_back(client: TestClient, ears: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voice, "PAUSE", 0.01)
    with dial(client) as socket:
        socket.send_bytes(FRAME)
        kinds(socket, 2)
        assert socket.receive_json() == {"type": "microphone", "data": "free"}
        assert not ears.taken


def test_client_leaves_when_its_socket_closes_and_not_before(client: TestClient, ears: Listener) -> None:
    with dial(client) as socket:
        for count in (1, 2):
            socket.send_bytes(FRAME)
            socket.send_text(END)
            wait_until(lambda count=count: len(ears.clients) == count and not ears.taken, 10.0)
        assert ears.left == []
    wait_until(lambda: bool(ears.left), 10.0)
    assert ears.clients == ears.left * 2
