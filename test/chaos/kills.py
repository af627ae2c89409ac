"""Kills processes while they store data, and counts lost records (`scripts/chaos kills`).

It takes some minutes on one core.

Each process writes records to a store and acknowledges them over a pipe. It is killed at a random moment: while it
opens the store, between two records, or while it writes one.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from bench.report import Figure, print_report
from chaos.storage.kill import kill_writers
from chaos.storage.ledger import Ledger
from chaos.storage.store_under_test import STORES

KILLS = 1000
"""Number of kills, in total for all stores."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the seed and the number of kills."""
    parser.add_argument("--seed", type=int, default=1, help="seed of the random moments (default: %(default)s)")
    parser.add_argument(
        "--kills", type=int, default=KILLS, help="total number of kills, over all stores (default: %(default)s)"
    )


def main(as_json: bool, seed: int = 1, kills: int = KILLS) -> int:
    """Kills the writers of every store. The exit code is 0 even if records were lost."""
    figures, total = [], Ledger()
    for name in STORES:
        with tempfile.TemporaryDirectory() as scratch:
            ledger = kill_writers(name, -(-kills // len(STORES)), seed, Path(scratch))
        figures.append(Figure(f"{name}: records lost in {ledger.faults} kills", ledger.lost, "", 0.0))
        total += ledger
    figures += [
        Figure("kills", total.faults, "", 1000.0, at_least=True),
        Figure("records lost", total.lost, "", 0.0),
        Figure("records served with other words", total.wrong, "", 0.0),
        Figure("stores that could not be used afterwards", len(total.unusable), "", 0.0),
    ]
    print_report("kills", figures, as_json)
    return 0
