"""Load test of ten minutes with all features at once.

The features are vision, breathing, speech, face tracking and random motions.

`scripts/chaos life` takes eleven minutes. Run it on an otherwise idle machine.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import numpy as np
from reachy_agent_msgs.action import Say
from reachy_agent_msgs.msg import DetectionArray, FaceTarget, MotionOffset, RobotState
from sensor_msgs.msg import CompressedImage
from std_srvs.srv import SetBool

from bench.bridge_diagnostics import BridgeDiagnostics
from bench.report import Figure, percentile, print_report
from bench.running_graph import running_graph
from chaos.random_client import RandomClient
from evaluation.vision.face_board import FaceBoard, face_argument
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller, ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, SENSOR, STANDARD

SEED = 20
DURATION = 600.0  # s
SWAY = 7.0  # s, period of the motion of the face
WIDTH = math.radians(35.0)  # amplitude of the motion of the face
SENTENCE = "I can look about, listen and dance while I talk to you, and nothing of it is in the way of the rest."


def main(as_json: bool) -> int:
    """Starts a graph and measures it under load. The exit code is always 0."""
    with face_argument() as face, running_graph(face) as (client, _), ExitStack() as stack:
        attention = Attention(client)
        diagnostics = BridgeDiagnostics(client.node)
        commander = RandomClient(client, np.random.default_rng(SEED))
        follow = ServiceCaller(client.node, SetBool, names.HEAD_TRACKING, client.watch(names.VISION))

        def keep_following() -> None:  # a hold or an emergency stop ends head tracking
            follow.call(SetBool.Request(data=True), timeout=10.0)
            time.sleep(2.0)

        unanswered: list[AgentError] = []
        stack.enter_context(swaying_face(client))
        for act in (talk(client), commander.act, keep_following):
            stack.enter_context(meanwhile(act, unanswered))
        time.sleep(DURATION)
        lost = Figure("calls without an answer", len(unanswered), "")
        figures = [*punctuality(diagnostics), *attention.figures(), *commander.figures(), lost]
    print_report("life", figures, as_json)
    return 0


def punctuality(diagnostics: BridgeDiagnostics) -> Iterator[Figure]:
    """Yields the timing of the motion loop and the number of limit violations."""
    windows, gate = diagnostics.loop, diagnostics.gate
    p99 = [float(window["p99_ms"]) for window in windows]
    yield Figure("100 Hz loop: |period - 10 ms|, p99 of 30 s, median window", percentile(p99, 50), "ms")
    yield Figure("100 Hz loop: |period - 10 ms|, p99 of 30 s, worst window", max(p99), "ms", 3.0)
    yield Figure("100 Hz loop: greatest", max(float(window["max_ms"]) for window in windows), "ms")
    yield Figure("100 Hz loop: periods left out", float(windows[-1]["overruns"]) - float(windows[0]["overruns"]), "")
    yield Figure("limit violations", float(gate[-1]["violations"]), "", 0.0)
    yield Figure("velocity jumps", float(gate[-1]["jumps"]), "", 0.0)


class Attention:
    """Subscriber that counts messages on several topics.

    Because of the subscription, the nodes process every picture.
    """

    def __init__(self, client: GraphClient) -> None:
        self._began = time.monotonic()
        self._pictures = self._detections = self._faces = self._visible = self._wobbles = 0
        self._states = self._breathing = 0
        subscribe = client.node.create_subscription
        subscribe(CompressedImage, names.IMAGE, self._see, SENSOR)
        subscribe(DetectionArray, names.DETECTIONS, self._detect, STANDARD)
        subscribe(FaceTarget, names.FACE_TARGET, self._face, STANDARD)
        subscribe(MotionOffset, names.MOTION_OFFSET, self._offset, SENSOR)
        subscribe(RobotState, names.ROBOT_STATE, self._state, LATCHED)

    def figures(self) -> Iterator[Figure]:
        """Yields the message rates, and how often a face is visible and the robot breathes."""
        seconds = time.monotonic() - self._began
        yield Figure("pictures a second", self._pictures / seconds, "Hz")
        yield Figure("pictures looked at for objects a second", self._detections / seconds, "Hz")
        yield Figure("pictures looked at for faces a second", self._faces / seconds, "Hz")
        yield Figure("of them with the face in view", 100.0 * self._visible / max(1, self._faces), "%")
        yield Figure("offsets of the speaking head a second", self._wobbles / seconds, "Hz")
        yield Figure("states in which it breathed", 100.0 * self._breathing / max(1, self._states), "%")

    def _see(self, _image: CompressedImage) -> None:
        self._pictures += 1

    def _detect(self, _detections: DetectionArray) -> None:
        self._detections += 1

    def _face(self, face: FaceTarget) -> None:
        self._faces += 1
        self._visible += bool(face.visible)

    def _offset(self, offset: MotionOffset) -> None:
        self._wobbles += offset.source == MotionOffset.SPEECH

    def _state(self, state: RobotState) -> None:
        self._states += 1
        self._breathing += bool(state.breathing)


@contextmanager
def swaying_face(client: GraphClient) -> Iterator[None]:
    """Moves a face from side to side in the simulation."""
    board = FaceBoard(client.node)
    timer = client.node.create_timer(
        0.05, lambda: board.show(WIDTH * math.sin(2.0 * math.pi * time.monotonic() / SWAY))
    )
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def meanwhile(act: Callable[[], None], unanswered: list[AgentError]) -> Iterator[None]:
    """Repeats an action in a separate thread and collects its errors."""
    ended = threading.Event()

    def run() -> None:
        while not ended.is_set():
            try:
                act()
            except AgentError as error:
                unanswered.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def talk(client: GraphClient) -> Callable[[], None]:
    """Returns a function that makes the robot say a sentence, and then pauses as long as the robot spoke."""
    voice = ActionCaller(client.node, Say, names.SAY, client.watch(names.TTS))

    def say() -> None:
        started = time.monotonic()
        voice.call(Say.Goal(text=SENTENCE), timeout=60.0)
        time.sleep(time.monotonic() - started)

    return say
