"""Fault 1: node killed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bench.recovery import Kill
from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import count


class KilledNode:
    """Every node killed, one after the other. In a short campaign, three random nodes are killed."""

    number = 1
    title = "node killed"
    injected = "SIGKILL to every node in turn, in random order"
    expected = "the node is ready again within 3 s, and no other node exits"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Kills nodes in random order, and measures the time until each node is ready again."""
        victims = random.sample(sorted(graph.watches), 3 if graph.short else len(graph.watches))
        before = graph.restarts()
        for name in victims:
            yield Figure(f"{name}: SIGKILL to ready again", Kill(graph.watches[name]).await_return(), "s", 3.0)
        graph.await_whole()
        restarts = sum(after - before[name] for name, after in graph.restarts().items())
        yield count("other nodes that exited", restarts - len(victims))
