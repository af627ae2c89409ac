"""Fault 20: camera frozen."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from random import Random

from reachy_agent_msgs.msg import DetectionArray, Heartbeat
from reachy_agent_msgs.srv import DetectObjects

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import count, happened
from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD

PATIENCE = 30.0  # s
PAUSE = 6.0  # s


class StoppedCamera:
    """A camera that sends no new pictures, which must not be mistaken for a scene without changes."""

    number = 20
    title = "camera frozen"
    injected = "SIGSTOP to the camera during detection; SIGCONT six seconds later"
    expected = (
        "vision reports outdated pictures within 1 s, and questions about the scene get this error, until the "
        "fault ends"
    )

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Suspends the camera node, and measures the time until the vision node reports the frozen camera."""
        seen, node, before = list[float](), graph.client.node, graph.restarts()
        watch = node.create_subscription(
            DetectionArray, names.DETECTIONS, lambda _: seen.append(time.monotonic()), STANDARD
        )
        try:
            _await(lambda: bool(seen))
            camera, stopped = graph.process(names.CAMERA), time.monotonic()
            camera.send_signal(signal.SIGSTOP)
            try:
                yield from self._frozen(graph, stopped)
                time.sleep(max(0.0, stopped + PAUSE - time.monotonic()))
            finally:
                camera.send_signal(signal.SIGCONT)
            went_on = time.monotonic()
            _await(lambda: seen[-1] > went_on and not _degraded(graph))
            yield Figure("SIGCONT to seeing again", time.monotonic() - went_on, "s", 3.0)
        finally:
            node.destroy_subscription(watch)
        yield count("restarts", sum(graph.restarts().values()) - sum(before.values()))

    def _frozen(self, graph: CampaignGraph, stopped: float) -> Iterator[Figure]:
        while not (flagged := _degraded(graph)) and time.monotonic() - stopped < PAUSE:
            time.sleep(0.02)
        yield happened("vision says that its pictures are old", flagged)
        yield Figure("until it says so", time.monotonic() - stopped, "s", 1.0)
        question = ServiceCaller(graph.client.node, DetectObjects, names.DETECT_OBJECTS, graph.watches[names.VISION])
        try:
            answered = question.call(DetectObjects.Request(), PATIENCE).error_code == 0
        except AgentError:
            answered = False
        yield count("questions answered from an old picture", int(answered))


def _degraded(graph: CampaignGraph) -> bool:
    beat = graph.watches[names.VISION].last
    return beat is not None and beat.state == Heartbeat.DEGRADED


def _await(condition: Callable[[], bool]) -> None:
    patience = Deadline(PATIENCE)
    while not condition():
        assert not patience.passed, "vision publishes no detections"
        time.sleep(0.02)
