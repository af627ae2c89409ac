"""Voice conversation through the gateway, with real speech recognition, speech synthesis, agent and simulated robot."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from reachy_agent_msgs.msg import AudioChunk
from std_msgs.msg import String
from websockets.sync.client import ClientConnection, connect

from reachy_agent_ros.agent.permissions.principal import client_of
from reachy_agent_ros.audio.sound_file import read_sound
from reachy_agent_ros.core import names
from reachy_agent_ros.gateway.streams.voice import VoiceMessage
from reachy_agent_ros.ros.rclpy_ext.qos import AUDIO, STANDARD
from support.nodes.gateway_client import gateway_client
from support.nodes.node_process import NodeProcess, Ros
from support.recordings import LOOK_LEFT, spoken
from support.waiting import PATIENCE, wait_until

NODES = ("hardware_bridge", "tool_server", "tts", "stt", "agent")


FRAME = 640
"""Size of 20 ms of audio, bytes."""

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def client(ros: Ros, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    state = str(tmp_path_factory.mktemp("state"))
    with ExitStack() as stack:
        processes = [stack.enter_context(NodeProcess(name)) for name in NODES]
        http = stack.enter_context(gateway_client(ros, {"directory": state}))
        for process in processes:
            process.wait_ready()
        http.timeout = PATIENCE
        yield http


@pytest.fixture
def dial(client: httpx.Client) -> Callable[[], ClientConnection]:
    url = str(client.base_url).replace("http", "ws") + "ws/voice"
    return lambda: connect(url, compression=None)


def next_of(socket: ClientConnection, kind: str, fits: Callable[[dict[str, Any]], bool] = lambda _: True) -> Any:
    """Returns the next message of a kind. Other messages are skipped, but must be valid."""
    while True:
        message = json.loads(socket.recv(PATIENCE))
        assert VoiceMessage.model_validate(message).model_dump(mode="json") == message
        if message["type"] == kind and fits(message):
            return message


def take_microphone(socket: ClientConnection) -> None:
    """Requests the microphone repeatedly, until the previous client has released it.

    The previous client has already disconnected.
    """

    def is_lent() -> bool:
        socket.send('{"type": "end"}')
        socket.send(bytes(FRAME))
        while (message := json.loads(socket.recv(PATIENCE)))["type"] not in ("microphone", "problem"):
            pass
        return bool(message["data"] == "yours")

    wait_until(is_lent, "the ears to be free")


def say(socket: ClientConnection, path: Path) -> None:
    """Sends a recording faster than real time, in chunks of 20 ms. The last chunk may be shorter."""
    sound = spoken(path).tobytes()
    for start in range(0, len(sound), FRAME):
        socket.send(sound[start : start + FRAME])


def body_yaw_of_head(client: httpx.Client) -> float:
    pose = client.get("state").json()["head_pose"]
    return float(pose[4])  # sine of the yaw of a level head


def test_voice_client_moves_robot_and_hears_reply(client: httpx.Client, dial: Callable[[], ClientConnection]) -> None:
    with dial() as socket:
        say(socket, LOOK_LEFT)
        socket.send('{"type": "end"}')
        assert next_of(socket, "microphone")["data"] == "yours"
        # The transcript "Reachy." may come first; speech that follows without a pause is merged with it later.
        heard = next_of(
            socket, "transcription", lambda message: message["final"] and "look left" in message["data"].lower()
        )
        assert not heard["rejected"]
        answer = next_of(
            socket, "response", lambda message: message["final"] and message["turn_id"] == heard["utterance_id"]
        )
        assert answer["data"]
        sound = next_of(socket, "audio", lambda message: message["data"])
        assert sound["sample_rate"] > 8_000
        assert len(base64.b64decode(sound["data"])) % 2 == 0
        next_of(socket, "audio", lambda message: message["stream"] == sound["stream"] and message["last"])
    wait_until(lambda: body_yaw_of_head(client) > 0.2, "the head to look left")


def test_rejects_second_voice_client(dial: Callable[[], ClientConnection]) -> None:
    with dial() as first, dial() as second:
        take_microphone(first)
        second.send(bytes(FRAME))
        assert next_of(second, "problem")["code"] == "COMMANDER_BUSY"
        first.send('{"type": "end"}')
        assert next_of(first, "microphone")["data"] == "free"
        second.send('{"type": "end"}')
        second.send(bytes(FRAME))
        assert next_of(second, "microphone")["data"] == "yours"


def test_client_disconnect_publishes_client_id(dial: Callable[[], ClientConnection], ros: Ros) -> None:
    heard: list[str] = []
    left: list[str] = []
    subscriptions = [
        ros.node.create_subscription(AudioChunk, names.AUDIO_CAPTURE, lambda one: heard.append(one.stream), AUDIO),
        ros.node.create_subscription(String, names.VOICE_LEFT, lambda one: left.append(one.data), STANDARD),
    ]
    wait_until(lambda: ros.node.count_publishers(names.VOICE_LEFT) > 0, "the gateway's topic")
    with dial() as socket:
        take_microphone(socket)

        def is_heard() -> bool:
            socket.send(bytes(FRAME * 5))
            return bool(heard)

        wait_until(is_heard, "the sound")
        assert left == []
    wait_until(lambda: bool(left), "the client to be named")
    assert client_of(heard[-1]) == left[0] != ""
    for subscription in subscriptions:
        ros.node.destroy_subscription(subscription)


def test_client_disconnect_releases_microphone(dial: Callable[[], ClientConnection]) -> None:
    with dial() as gone:
        take_microphone(gone)
    with dial() as socket:
        take_microphone(socket)


def test_gateway_transcribes_audio_file(client: httpx.Client) -> None:
    sound = LOOK_LEFT.read_bytes()
    answer = client.post("voice/stt", content=sound, headers={"Content-Type": "audio/wav"}).json()
    assert answer["transcription"] == "Reachy, look left and tell me what you see."
    assert 0.5 < answer["confidence"] <= 1.0
    assert answer["duration"] == pytest.approx(read_sound(LOOK_LEFT).size / 16_000)
    assert client.post("voice/stt", files={"file": ("a.wav", sound)}).json() == answer


def test_audio_file_without_speech_returns_problem(client: httpx.Client) -> None:
    broken = client.post("voice/stt", content=b"RIFF, or not", headers={"Content-Type": "audio/wav"})
    assert (broken.status_code, broken.json()["code"]) == (415, "AUDIO_UNSUPPORTED")
    silence = client.post("voice/stt", files={"file": ("a.raw", b"")})
    assert silence.status_code == 400


def test_gateway_synthesizes_text_to_audio_file(client: httpx.Client) -> None:
    answer = client.post("voice/tts", json={"text": "Please look to the left."})
    assert answer.headers["content-type"] == "audio/wav"
    heard = client.post("voice/stt", content=answer.content, headers={"Content-Type": "audio/wav"}).json()
    assert "look to the left" in heard["transcription"].lower()
    assert client.post("voice/tts", json={"text": "Hello.", "voice": "nobody"}).status_code == 422
