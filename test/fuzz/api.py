"""Fuzzing of the gateway.

No request may cause a server error or a hang, or move the robot beyond its limits.

`scripts/fuzz api` takes about ten minutes on an otherwise idle machine. The complete graph runs in simulation, with a
stub of the language model, because without a model every conversation ends with status 503.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import requests

from bench.bridge_diagnostics import BridgeDiagnostics
from bench.paced_model import PacedModel
from bench.report import Figure, print_report
from bench.running_graph import running_graph
from fuzz.api_fuzzer import Findings, fuzz_paths, fuzz_sockets

PORT = 8077
EXAMPLES = 100
FRAMES = 2000
SEED = 8


def main(as_json: bool) -> int:
    """Fuzzes the API. Returns exit code 0 even if it finds a fault."""
    print_report("api", list(_figures()), as_json)
    return 0


def _figures() -> Iterator[Figure]:
    address = f"http://127.0.0.1:{PORT}/api/v1"
    arguments = (f"gateway_port:={PORT}", "gateway_rate:=100000/second")
    with (
        PacedModel(["Yes."], 0, 0.0, native=True) as model,
        running_graph(*arguments, f"model_endpoint:={model.url}") as (client, _),
    ):
        diagnostics = BridgeDiagnostics(client.node)
        began = time.monotonic()
        findings = fuzz_paths(address, EXAMPLES, SEED, lambda: _reset(address))
        closed = list(fuzz_sockets(address, FRAMES, SEED))
        yield Figure("time it took", time.monotonic() - began, "s")
        yield from _found(findings, closed)
        told = len(diagnostics.gate)
        while len(diagnostics.gate) == told:  # waits for diagnostics that include the last frames
            time.sleep(0.1)
        yield Figure("limit violations of the robot", float(diagnostics.gate[-1]["violations"]), "", 0.0)


def _found(findings: Findings, closed: list[str]) -> Iterator[Figure]:
    for sentence in (*findings.wrong, *findings.hangs, *closed):
        print(sentence, file=sys.stderr)
    yield Figure("requests", findings.requests, "")
    for status, count in sorted(findings.statuses.items()):
        yield Figure(f"answered {status}", count, "")
    yield Figure("server errors", findings.faults, "", 0.0)
    yield Figure("hangs", len(findings.hangs), "", 0.0)
    yield Figure("answers that are not as described", len(findings.wrong), "", 0.0)
    yield Figure("WebSockets closed by a server fault", len(closed), "", 0.0)


def _reset(address: str) -> None:
    """Resets the emergency stop, so that later requests can move the robot."""
    requests.post(f"{address}/stop/reset", timeout=30.0)
