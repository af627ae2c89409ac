"""Fault 8: node that runs out of memory."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from random import Random

import psutil
from reachy_agent_msgs.msg import DetectionArray, FaceTarget

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import count, happened
from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.ros.rclpy_ext.qos import STANDARD

ROOM = 8 * 2**20
"""Memory that the node may still allocate, in bytes: less than a picture and the working memory of a detector."""

PATIENCE = 15.0  # s
RECOVERY = 5.0  # s


class LittleMemory:
    """A vision node that cannot allocate memory, which must not affect other nodes."""

    number = 8
    title = "node without memory"
    injected = "the address space of vision is limited to its current size plus 8 MiB, then detection is requested"
    expected = "no other node exits; vision reports the problem or restarts, and works again once memory is available"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Limits the memory of the vision node, then checks that the node recovers and no other node exits."""
        before, vision = graph.restarts(), graph.process(names.VISION)
        vision.rlimit(psutil.RLIMIT_AS, (vision.memory_info().vms + ROOM, psutil.RLIM_INFINITY))
        seen: list[float] = []
        subscribe = graph.client.node.create_subscription
        subscriptions = [
            subscribe(kind, topic, lambda _: seen.append(time.monotonic()), STANDARD)
            for kind, topic in ((DetectionArray, names.DETECTIONS), (FaceTarget, names.FACE_TARGET))
        ]
        time.sleep(RECOVERY)
        with suppress(psutil.NoSuchProcess):  # the node may have exited
            vision.rlimit(psutil.RLIMIT_AS, (psutil.RLIM_INFINITY, psutil.RLIM_INFINITY))
        graph.await_whole()
        lifted, patience = time.monotonic(), Deadline(PATIENCE)
        while not any(moment > lifted for moment in seen) and not patience.passed:
            time.sleep(0.05)
        yield happened("it sees again", any(moment > lifted for moment in seen))
        for subscription in subscriptions:
            graph.client.node.destroy_subscription(subscription)
        restarts = {name: after - before[name] for name, after in graph.restarts().items()}
        yield Figure("restarts of vision", restarts.pop(names.VISION), "")
        yield count("nodes that exited", sum(restarts.values()))
