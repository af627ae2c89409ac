"""Fault 23: flood of messages."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from random import Random

from geometry_msgs.msg import Vector3
from rclpy.publisher import Publisher
from reachy_agent_msgs.msg import MotionOffset, MotionTarget
from std_msgs.msg import Header, String

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import count, happened
from reachy_agent_ros.core import names
from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.ros.rclpy_ext.convert import pose_message
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD

SECONDS = 10.0
FLOODED = (names.HARDWARE_BRIDGE, "feedback")
GROWTH = 100.0  # MB


class Flood:
    """Messages at the highest rate that one thread per topic can publish, about a hundred times the normal rate."""

    number = 23
    title = "flood of messages"
    injected = "as many targets, offsets and feedback messages as possible are sent for ten seconds"
    expected = (
        "the periods of the loop start within 20 ms of the scheduled time, memory is bounded, and no node restarts"
    )

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Publishes messages at the highest rate, then measures the motion loop and the memory growth."""
        node, before = graph.client.node, graph.restarts()
        sizes = {name: graph.process(name).memory_info().rss for name in FLOODED}
        floods = (
            (node.create_publisher(MotionTarget, names.MOTION_TARGET, STANDARD), lambda: _target(random)),
            (node.create_publisher(MotionOffset, names.MOTION_OFFSET, STANDARD), lambda: _offset(random)),
            (node.create_publisher(String, names.FEEDBACK, STANDARD), lambda: String(data="nicely done")),
        )
        sent = [0] * len(floods)
        threads = [
            threading.Thread(target=_send, args=(publisher, message, sent, number))
            for number, (publisher, message) in enumerate(floods)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        time.sleep(2.0)
        yield Figure("messages sent a second", sum(sent) / SECONDS, "Hz")
        yield Figure("100 Hz loop: lateness p99", float(graph.diagnostics.loop[-1]["p99_ms"]), "ms", 20.0)
        for name in FLOODED:
            yield Figure(f"{name}: growth", (graph.process(name).memory_info().rss - sizes[name]) / 1e6, "MB", GROWTH)
        yield happened("a turn is answered", graph.workload.talk())
        yield count("restarts", sum(graph.restarts().values()) - sum(before.values()))


def _send(publisher: Publisher[object], message: Callable[[], object], sent: list[int], number: int) -> None:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        publisher.publish(message())
        sent[number] += 1


def _target(random: Random) -> MotionTarget:
    pose = pose_message(head_transform(yaw=random.uniform(-0.5, 0.5)))
    header = Header(frame_id=names.HEAD_BASE_FRAME)
    return MotionTarget(header=header, commander="campaign", set_head=True, head_pose=pose)


def _offset(random: Random) -> MotionOffset:
    return MotionOffset(source=MotionOffset.SPEECH, rotation=Vector3(y=random.uniform(-0.1, 0.1)))
