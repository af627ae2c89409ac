"""Fault-injection campaign: 27 faults in a running graph.

The campaign checks data loss, safety and recovery time.

`scripts/chaos campaign` takes about ten minutes on an otherwise idle machine; `--short` shortens each fault to seconds.
Each file of `faults/` contains one fault. The campaign starts its own graph in simulation and affects no other graph.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import psutil

from bench.report import Figure, print_report
from chaos.campaign_graph import CampaignGraph, campaign_graph
from chaos.campaign_report import Row, write_report
from chaos.faults.catalogue import FAULTS
from chaos.faults.fault import CannotBeInjectedError, Fault, count
from reachy_agent_ros.core.errors import AgentError

SEED = 9
_FAILURES = (AgentError, AssertionError, OSError, psutil.Error)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the seed, the selection and duration of the faults, and the report."""
    parser.add_argument(
        "--seed", type=int, default=SEED, help="seed of the order and parameters (default: %(default)s)"
    )
    parser.add_argument(
        "--only", type=_numbers, default=(), metavar="NUMBERS", help="run only these faults, such as 1,6,27"
    )
    parser.add_argument("--short", action="store_true", help="shorten each fault to seconds")
    parser.add_argument("--report", type=Path, metavar="FOLDER", help="also write a Markdown report to this folder")


def main(
    as_json: bool, seed: int = SEED, only: Sequence[int] = (), short: bool = False, report: Path | None = None
) -> int:
    """Runs the campaign. The exit code is 0 even if a fault reveals a problem."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # otherwise the graph would keep running
    random = Random(seed)
    faults = [fault for fault in FAULTS if fault.number in only or not only]
    random.shuffle(faults)
    with campaign_graph(short) as graph:
        rows = [_row(graph, fault, random) for fault in faults]
    rows.sort(key=lambda row: row.fault.number)
    if report is not None:
        write_report(report, rows, seed)
    print_report("campaign", [figure for row in rows for figure in row.told()], as_json)
    return 0


def _row(graph: CampaignGraph, fault: Fault, random: Random) -> Row:
    row = run_fault(graph, fault, random)
    print(f"{fault.number:2} {fault.title}: {'held' if row.held else 'NOT HELD'} {row.problem}", file=sys.stderr)
    for reason, times in graph.workload.refused.items():
        print(f"   not acknowledged, {times} times: {reason}", file=sys.stderr)
    graph.workload.refused.clear()
    return row


def run_fault(graph: CampaignGraph, fault: Fault, random: Random) -> Row:
    """Runs the workload, injects a fault, waits until every node is ready, and checks the invariants.

    Args:
        graph: Graph in which every node is ready.
        fault: Fault to inject.
        random: Source of the random parameters of the fault.
    """
    began, figures, problem, injected = time.monotonic(), list[Figure](), "", True
    graph.workload.run_all()
    unsafe = graph.envelope.outside
    try:
        figures.extend(fault.run(graph, random))
    except CannotBeInjectedError as reason:
        problem, injected = f"Cannot be injected here: {reason}", False
    except _FAILURES as error:
        problem = f"{type(error).__name__}: {error}"
    try:
        figures.extend(_afterwards(graph, unsafe))
    except _FAILURES as error:
        problem = f"{problem} Afterwards: {error}".strip()
    return Row(fault, tuple(figures), problem, time.monotonic() - began, injected)


def _afterwards(graph: CampaignGraph, unsafe: int) -> Iterator[Figure]:
    """Yields the figures of the invariants that must hold after a fault."""
    yield Figure("until every node is ready, afterwards", graph.await_whole(), "s", 5.0)
    given = graph.workload.run_all()
    yield Figure("things of six that it then acknowledges", given, "", 6.0, at_least=True)
    yield count("outputs outside the envelope", graph.envelope.outside - unsafe)
    lost = graph.lost()
    for one in lost:
        print(f"   lost: {one}", file=sys.stderr)
    yield count(f"acknowledged and lost, of {len(graph.ledger.entries())} so far", len(lost))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(","))
