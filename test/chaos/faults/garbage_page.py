"""Fault 11: damaged page of a file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import count, happened
from chaos.storage.garbage import garbled_and_restored
from chaos.storage.store_under_test import STORES


class GarbagePage:
    """Disk that returns corrupted data for a page of a file."""

    number = 11
    title = "damaged page of a file"
    injected = "random bytes overwrite a page of the largest file of each store; then a backup is restored"
    expected = "no record is returned with changed content; the backup is restored completely within 5 s"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Damages a page of each store, then restores a backup and checks the records."""
        for name in random.sample(sorted(STORES), 2 if graph.short else len(STORES)):
            with tempfile.TemporaryDirectory() as scratch:
                outcome = garbled_and_restored(name, Path(scratch), random)
            yield count(f"{name}: records served with other words", outcome.wrong)
            yield Figure(f"{name}: time to restore the backup", outcome.restored_in, "s", 5.0)
            yield count(f"{name}: records of the backup that were lost", outcome.lost)
            yield happened(f"{name}: goes on", outcome.usable)
