"""Simulates power failures, and counts lost records (`scripts/chaos power_cuts`).

It takes some minutes on one core, and requires strace.

The system calls of each store are recorded while it writes records, and replayed up to random moments. Writes that were
not confirmed as being on disk are kept, dropped or torn at random, and the store is opened on the result.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from bench.report import Figure, print_report
from chaos.storage.ledger import Ledger
from chaos.storage.power_cut import power_cuts
from chaos.storage.store_under_test import CARELESS, STORES

CUTS = 40
"""Number of power failures for each store."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the seed and the number of power failures."""
    parser.add_argument("--seed", type=int, default=1, help="of moments, and of what is left (default: %(default)s)")
    parser.add_argument("--cuts", type=int, default=CUTS, help="of each store (default: %(default)s)")


def main(as_json: bool, seed: int = 1, cuts: int = CUTS) -> int:
    """Simulates power failures of every store. The exit code is 0 even if records were lost."""
    figures, total = [], Ledger()
    for name in STORES:
        with tempfile.TemporaryDirectory() as scratch:
            ledger = power_cuts(name, cuts, seed, Path(scratch))
        figures.append(Figure(f"{name}: records lost of {ledger.acknowledged} acknowledged", ledger.lost, "", 0.0))
        total += ledger
    with tempfile.TemporaryDirectory() as scratch:
        careless = power_cuts(CARELESS, cuts, seed, Path(scratch))
    figures += [
        Figure("power cuts", total.faults, "", 400.0, at_least=True),
        Figure(f"records lost of {total.acknowledged} acknowledged", total.lost, "", 0.0),
        Figure("records served with other words", total.wrong, "", 0.0),
        Figure("stores that could not be used afterwards", len(total.unusable), "", 0.0),
        Figure("for comparison, synchronous=NORMAL: records lost", careless.lost, "", 1.0, at_least=True),
    ]
    print_report("power_cuts", figures, as_json)
    return 0
