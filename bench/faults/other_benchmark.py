"""Faults that a benchmark of their own injects, into a graph or processes of its own."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from campaign_graph import CampaignGraph
from report import Figure
from running_graph import COMMAND

from faults.fault import CannotBeInjectedError

PATIENCE = 1200.0  # s


@dataclass(frozen=True)
class OtherBenchmark:
    """Runs `reachy-agent bench AREA`, and takes over the figures that have a bar.

    Attributes:
        number: As of every fault.
        title: As of every fault.
        injected: As of every fault.
        expected: As of every fault.
        area: Of the benchmark.
        options: Of it.
        short: More of them in a short campaign.
    """

    number: int
    title: str
    injected: str
    expected: str
    area: str
    options: tuple[str, ...] = ()
    short: tuple[str, ...] = ()

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Implements `Fault`."""
        command = [*COMMAND, "bench", self.area, "--json", *self.options, *(self.short if graph.short else ())]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        if done.returncode != 0:
            raise CannotBeInjectedError(f"`reachy-agent bench {self.area}` failed: {done.stderr[-300:]}")
        for row in json.loads(done.stdout)["figures"]:
            if row["bar"] is not None:
                value, bar = row["value"], row["bar"]
                at_least = value != bar and (value > bar) == row["holds"]
                yield Figure(row["name"], value, row["unit"], bar, at_least)
