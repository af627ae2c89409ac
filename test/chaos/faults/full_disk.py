"""Fault 10: disk full."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from random import Random

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import CannotBeInjectedError, count, happened
from chaos.storage.full_disk import full_disk
from chaos.storage.store_under_test import STORES


class FullDisk:
    """Full disk of a store.

    Each store runs on its own small disk, because a full system disk would affect all programs.
    """

    number = 10
    title = "disk full"
    injected = "stores write to a small disk until it is full; then space is freed"
    expected = "no acknowledged record is lost; stored records stay readable; afterwards the stores continue"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Fills the disk of each store, then checks the acknowledged records."""
        for name in random.sample(sorted(STORES), 2 if graph.short else len(STORES)):
            try:
                outcome = full_disk(name)
            except (FileNotFoundError, subprocess.CalledProcessError) as error:
                raise CannotBeInjectedError(
                    f"A small file system cannot be created on this machine: {error}."
                ) from error
            yield count(f"{name}: acknowledged records lost", outcome.lost)
            yield happened(f"{name}: serves what it has on the full disk", outcome.served)
            yield happened(f"{name}: continues once there is space", outcome.usable)
