"""Fault 13: power failure."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import CannotBeInjectedError, count
from chaos.storage.power_cut import power_cuts
from chaos.storage.store_under_test import STORES


class PowerCut:
    """A power failure.

    Unlike SIGKILL, a power failure also loses data that the kernel has not written to disk.
    """

    number = 13
    title = "power failure"
    injected = (
        "the system calls of each store are replayed up to random moments; unsynchronized writes are kept, lost or torn"
    )
    expected = "no acknowledged record is lost, and every store works afterwards"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Simulates power failures of each store, then checks the acknowledged records."""
        for name in random.sample(sorted(STORES), 2 if graph.short else len(STORES)):
            with tempfile.TemporaryDirectory() as scratch:
                try:
                    outcome = power_cuts(name, 5 if graph.short else 32, random.randrange(10**6), Path(scratch))
                except (FileNotFoundError, subprocess.CalledProcessError) as error:
                    raise CannotBeInjectedError(f"The system calls of a store cannot be recorded: {error}.") from error
            yield count(f"{name}: lost in {outcome.faults} cuts, of {outcome.acknowledged}", outcome.lost)
            yield count(f"{name}: served with other words", outcome.wrong)
            yield count(f"{name}: cuts after which it could not be used", len(outcome.unusable))
