"""Fault 9: /dev/shm full."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from random import Random

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import CannotBeInjectedError, count, happened
from chaos.second_graph import second_graph
from reachy_agent_ros.core import names

NAMESPACE = "/no_shared_memory"
NODES = (names.HARDWARE_BRIDGE, names.TOOL_SERVER)
FULL = 'mount -t tmpfs -o size=64k none /dev/shm && (head -c 65536 /dev/zero > /dev/shm/full || true) && exec "$@"'


class FullSharedMemory:
    """Full shared memory.

    The middleware does not use shared memory here, but the tracing library of ROS maps one page.
    """

    number = 9
    title = "/dev/shm full"
    injected = "a second graph (bridge and tool server) is started with a full /dev/shm"
    expected = "the graph works, or reports why it cannot start; no node crashes"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Starts a graph with full shared memory, and checks that its nodes start or report the reason."""
        if shutil.which("unshare") is None:
            raise CannotBeInjectedError("`unshare`, which creates a mount namespace, is not installed.")
        before = ("unshare", "--mount", "sh", "-c", FULL, "sh")
        with second_graph(NAMESPACE, NODES, before=before) as (second, client):
            ready = second.await_ready(client)
            ended = second.supervisor.poll() is not None
            named = ended and "/dev/shm" in second.complaint()
            yield happened("every node is ready, or the start is refused and says why", ready or named)
            deaths = second.deaths()
            yield count(f"nodes that died of it ({'; '.join(deaths) or 'none'})", len(deaths))
