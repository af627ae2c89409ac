"""Fault 24: access from another machine on the network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from random import Random

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import CannotBeInjectedError
from support import MODULE_PATH

PATIENCE = 1200.0  # s


class AnotherMachine:
    """Access from another machine.

    It is tested with a default graph, because the campaign graph has additional listeners.
    """

    number = 24
    title = "another machine on the network"
    injected = "a thousand messages from a network namespace that simulates another machine and knows all topic names"
    expected = "no message is delivered, all sockets are bound to loopback, and another user can read no files"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Runs the isolation test. Yields only the figures that have a limit."""
        command = [sys.executable, "-m", "chaos", "isolation", "--json"]
        environment = {**os.environ, "PYTHONPATH": MODULE_PATH}
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=environment)
        if done.returncode != 0:
            raise CannotBeInjectedError(f"`scripts/chaos isolation` failed: {done.stderr[-300:]}")
        for row in json.loads(done.stdout)["figures"]:
            if row["bar"] is not None:
                yield Figure(**{field.name: row[field.name] for field in fields(Figure)})
