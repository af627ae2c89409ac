"""Fuzzing of all inputs of the product, which finds crashes, hangs, leaks and wrong behavior.

`scripts/fuzz product` takes about five minutes on an otherwise idle machine. Loaders, validators, the client of the
language model and the safety gate run in monitored processes. A graph in simulation receives messages, requests, goals,
HTTP requests and WebSocket frames. The cases depend only on the seed; failing inputs are stored in a folder.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

from bench.report import Figure, print_report
from fuzz.failure_folder import FailureFolder
from fuzz.live.graph_messages import GraphMessages
from fuzz.live.http_requests import HttpRequests
from fuzz.live.live_graph import live_graph
from fuzz.live.websocket_frames import WebsocketFrames
from fuzz.outcome import Outcome
from fuzz.surface import Surface
from fuzz.surfaces import TARGETS, watched_surfaces

SEED = 9
CASES = 110_000
FOLDER = Path("out", "fuzz")

_LIVE = (GraphMessages, HttpRequests, WebsocketFrames)
_NAMES = (*TARGETS, *(surface.name for surface in _LIVE))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command line options for the seed, the number and kind of cases, and the folder of failing inputs."""
    parser.add_argument("--seed", type=int, default=SEED, help="decides every case (default: %(default)s)")
    parser.add_argument("--cases", type=int, default=CASES, help="of all surfaces together (default: %(default)s)")
    parser.add_argument("--only", choices=_NAMES, default="", metavar="KIND", help=f"one of: {', '.join(_NAMES)}")
    parser.add_argument("--failures", type=Path, default=FOLDER, metavar="FOLDER", help="where inputs are kept")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="only give an input that was kept, once more")


def main(
    as_json: bool,
    seed: int = SEED,
    cases: int = CASES,
    only: str = "",
    failures: Path = FOLDER,
    replay: Path | None = None,
) -> int:
    """Fuzzes the selected surfaces. Returns exit code 0 even if it finds a fault.

    If a failing input is replayed, raises the error of this input.
    """
    if replay is not None:
        _, make = TARGETS[replay.parent.name]
        make().take(replay.read_bytes())
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # otherwise the graph would keep running
    began, total, figures = time.monotonic(), Outcome(), list[Figure]()
    for surface, share in _surfaces(FailureFolder(failures), only):
        outcome = _attacked(surface, round(cases * share), seed)
        figures.append(Figure(f"{surface.name}: cases", outcome.cases, ""))
        total.cases += outcome.cases
        total.crashes += outcome.crashes
        total.hangs += outcome.hangs
    figures += [
        Figure("cases in all", total.cases, "", 1e5 if cases >= CASES else None, at_least=True),
        Figure("crashes", len(total.crashes), "", 0.0),
        Figure("hangs", len(total.hangs), "", 0.0),
        Figure("time it took", time.monotonic() - began, "s"),
    ]
    print_report("product", figures, as_json)
    return 0


def _surfaces(failures: FailureFolder, only: str) -> Iterator[tuple[Surface, float]]:
    """Yields the selected surfaces, each with its fraction of the cases.

    The graph runs while its surfaces are being fuzzed.
    """
    watched = [surface for surface in watched_surfaces(failures) if only in ("", surface.name)]
    live = [kind for kind in _LIVE if only in ("", kind.name)]
    shares = sum(surface.share for surface in (*watched, *live))
    for surface in watched:
        yield surface, surface.share / shares
    with live_graph() if live else nullcontext() as graph:
        for kind in live:
            assert graph is not None
            yield kind(graph, failures), kind.share / shares


def _attacked(surface: Surface, cases: int, seed: int) -> Outcome:
    began = time.monotonic()
    outcome = surface.run(cases, seed)
    seconds = time.monotonic() - began
    print(f"{surface.name}: {outcome.cases} cases, {outcome.taken} taken, {seconds:.0f} s", file=sys.stderr)
    for failure in (*outcome.crashes, *outcome.hangs):
        print(f"  case {failure.case}: {failure.reason} ({failure.kept})", file=sys.stderr)
    return outcome
