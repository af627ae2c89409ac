"""Latency of the gateway's voice socket in both directions.

Run `reachy-agent bench gateway_voice`. It takes 30 s; `--full` changes nothing. Towards the robot, the latency is the
time from the client's frame to a subscriber of the captured sound; from the robot, from publication by `tts` to the
client.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from reachy_agent_msgs.action import Say
from reachy_agent_msgs.msg import AudioChunk
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from bench.report import Figure, percentile, print_report
from bench.running_graph import running_graph
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of
from reachy_agent_ros.ros.rclpy_ext.qos import AUDIO

FRAMES, PERIOD = 400, 0.02  # number of sent frames of sound, and their duration, s
FRAME = bytes(round(2 * 16_000 * PERIOD))
TEXT = "I look to the left, and then I look to the right, and then I tell you all that I have seen on the desk."
BAR = 30.0  # ms in each direction
PATIENCE = 30.0  # s

_Times = dict[tuple[str, int], float]


def main(as_json: bool, full: bool = False) -> int:
    """Measures both directions. Always returns exit code 0."""
    del full  # there is no long form
    with running_graph("gateway_port:=0", "nodes:=stt,tts,gateway") as (client, _):
        line = _Line(client)
        with line.open() as socket:
            there = line.send(socket)
            back = line.say()
    figures = [
        Figure(f"sound to the robot, {FRAMES} frames, median", percentile(there, 50), "ms"),
        Figure("sound to the robot, 95 % within", percentile(there, 95), "ms", BAR),
        Figure(f"sound from the robot, {len(back)} chunks, median", percentile(back, 50), "ms"),
        Figure("sound from the robot, 95 % within", percentile(back, 95), "ms", BAR),
    ]
    print_report("gateway_voice", figures, as_json)
    return 0


class _Line:
    def __init__(self, client: GraphClient) -> None:
        self._captured: list[float] = []
        self._played: _Times = {}
        self._received: _Times = {}
        node = client.node
        self._gateway = client.watch(names.GATEWAY)
        self._voice = ActionCaller(node, Say, names.SAY, client.watch(names.TTS))
        self._subscriptions = (
            node.create_subscription(AudioChunk, names.AUDIO_CAPTURE, self._capture, AUDIO),
            node.create_subscription(AudioChunk, names.AUDIO_PLAYBACK, self._play, AUDIO),
        )
        self._await(lambda: self._gateway.last is not None)

    @contextmanager
    def open(self) -> Iterator[Connection]:
        """Opens a connection that is read by a separate thread."""
        assert self._gateway.last is not None
        url = self._gateway.last.detail.replace("http", "ws", 1)
        with connect(f"{url}/api/v1/ws/voice?button=false", compression=None) as socket:
            threading.Thread(target=self._read, args=(socket,), daemon=True).start()
            yield socket

    def send(self, socket: Connection) -> list[float]:
        """Sends sound to the robot. Returns the latency (ms) of each audio frame."""
        self._speak(socket, 1)  # takes control of the microphone, which needs extra calls
        del self._captured[:]
        sent = self._speak(socket, FRAMES)
        return [1e3 * (there - here) for here, there in zip(sent, self._captured, strict=True)]

    def say(self) -> list[float]:
        """Makes the robot speak. Returns the latency (ms) of each audio chunk from its publication to the client."""
        self._voice.call(Say.Goal(text=TEXT), PATIENCE)
        self._await(lambda: len(self._received) >= len(self._played) > 0)
        return [1e3 * (self._received[chunk] - at) for chunk, at in self._played.items()]

    def _speak(self, socket: Connection, frames: int) -> list[float]:
        before, sent = len(self._captured), []
        due = time.monotonic()
        for _ in range(frames):
            time.sleep(max(0.0, due - time.monotonic()))
            due += PERIOD
            sent.append(time.monotonic())
            socket.send(FRAME)
        self._await(lambda: len(self._captured) >= before + frames)
        return sent

    def _capture(self, message: AudioChunk) -> None:
        if not message.last:
            self._captured.append(time.monotonic())

    def _play(self, message: AudioChunk) -> None:
        self._played[message.stream, message.sequence] = seconds_of(message.header.stamp)

    def _read(self, socket: Connection) -> None:
        for text in socket:
            at, message = time.time(), json.loads(text)
            if message["type"] == "audio":
                self._received[message["stream"], message["sequence"]] = at

    def _await(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > end:
                raise AgentError(ErrorCode.TIMEOUT, "The sound did not arrive.")
            time.sleep(0.01)
