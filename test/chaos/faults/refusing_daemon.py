"""Fault 16: robot daemon that refuses connections."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from random import Random

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import count, happened
from chaos.faults.robot_link import robot_link
from chaos.robot_daemon import RobotDaemon

ABSENCE = 6.0  # s


class RefusingDaemon:
    """Robot daemon that starts after the bridge, and is then killed."""

    number = 16
    title = "robot daemon refuses connections"
    injected = "a second bridge is started without a daemon; a daemon starts, is killed, and starts again"
    expected = "the bridge keeps running, reports that the robot does not respond, and reconnects within 5 s"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Starts and kills the daemon repeatedly, and measures the time until the bridge detects each change."""
        with RobotDaemon("127.0.0.1", _free_port()) as daemon, robot_link(daemon) as link:
            pid = link.bridge.last.pid if link.bridge.last else 0
            time.sleep(ABSENCE)
            yield happened("without a daemon, the bridge says so", not link.connected)
            for occasion in ("came", "came again"):
                daemon.start()
                taken = link.seconds_until(lambda: link.connected, 30.0)
                yield Figure(f"until the robot is connected, after the daemon {occasion}", taken, "s", 5.0)
                daemon.kill()
                gone = link.seconds_until(lambda: not link.connected, 30.0)
                yield Figure("until the bridge notices that the daemon was killed", gone, "s", 2.0)
            yield count("restarts of the bridge", int(link.bridge.last is None or link.bridge.last.pid != pid))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
