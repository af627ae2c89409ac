"""Response times of service calls by new clients over a network with packet loss.

`scripts/chaos new_clients` takes about two minutes and needs permission to create network namespaces.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from bench.joining import DISCOVERY_PROBE
from bench.report import Figure, percentile, print_report
from chaos.network.lossy_cable import LossyCable
from chaos.network.other_machine import NoOtherMachineError
from chaos.network.remote_peer import joining

SERVER = "joining_0"
LOSSES = (0.0, 0.05, 0.1)
CALLS = 100
SEED = 7


def main(as_json: bool) -> int:
    """Measures the response times. Returns exit code 2 if no network namespace can be created, else 0."""
    try:
        with tempfile.TemporaryDirectory() as folder, LossyCable(Random(SEED)) as cable:
            os.environ["REACHY_AGENT_RUNTIME"] = folder
            os.environ["ROS_DOMAIN_ID"] = "100"
            figures = list(measure(cable))
    except NoOtherMachineError as error:
        print(f"Nothing was measured, because {error}.", file=sys.stderr)
        return 2
    print_report("new_clients", figures, as_json)
    return 0


def measure(cable: LossyCable) -> Iterator[Figure]:
    """Calls a node on this machine from another machine, with increasing packet loss."""
    here = Path(__file__).parent
    server = [sys.executable, str(DISCOVERY_PROBE), SERVER.removeprefix("joining_"), "1"]
    client = cable.machine.command(sys.executable, str(here / "new_client.py"), SERVER, str(CALLS))
    calling = {**joining("network"), "ROS_STATIC_PEERS": cable.machine.here}
    with subprocess.Popen(server, env=joining("network"), stdout=subprocess.DEVNULL) as serving:
        try:
            for cable.loss in LOSSES:
                asked = subprocess.run(client, env=calling, stdout=subprocess.PIPE, check=True)
                yield from _figures(cable.loss, json.loads(asked.stdout))
        finally:
            serving.kill()


def _figures(loss: float, times: list[float | None]) -> list[Figure]:
    answered = [time for time in times if time is not None]
    lost = f"{loss:.0%} of the packets lost"
    return [
        Figure(f"{lost}: unanswered of {len(times)} calls", len(times) - len(answered), "", 0.0),
        Figure(f"{lost}: to the answer, p50", percentile(answered, 50), "s"),
        Figure(f"{lost}: to the answer, worst", max(answered), "s"),
    ]
