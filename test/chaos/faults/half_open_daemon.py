"""Fault 17: half-open connection to the robot daemon."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.cabled_robot import cabled_robot
from chaos.faults.fault import happened

SILENCE = 6.0  # s


class HalfOpenDaemon:
    """Connection that stays open although all packets are lost."""

    number = 17
    title = "half-open connection to the robot daemon"
    injected = "a daemon in a network namespace; all packets are dropped for six seconds"
    expected = "the bridge detects the failure within 2 s, and reconnects within 5 s of the first packet"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Drops all packets of the connection, then measures detection and reconnection."""
        with cabled_robot(random) as (cable, link):
            cable.loss = 1.0
            gone = link.seconds_until(lambda: not link.connected, SILENCE)
            yield Figure("until the bridge notices", gone, "s", 2.0)
            time.sleep(SILENCE - min(gone, SILENCE))
            cable.loss = 0.0
            yield Figure("until it is connected again", link.seconds_until(lambda: link.connected, 60.0), "s", 5.0)
            yield happened("the bridge lives", link.bridge.alive)
