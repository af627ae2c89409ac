from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from chaos.shifted_clock import ShiftedClock

# Prints both clocks after each line of standard input.
SAYS = "import sys, time\nfor _ in sys.stdin: print(time.time(), time.monotonic(), flush=True)"


def test_shifts_wall_clock_of_running_process_but_not_its_steady_clock(tmp_path: Path) -> None:
    clock = ShiftedClock(tmp_path)
    if not clock.environment:
        pytest.skip("no C compiler is installed")
    with subprocess.Popen(
        [sys.executable, "-c", SAYS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **clock.environment},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def told() -> tuple[float, float]:
            process.stdin.write("\n")
            process.stdin.flush()
            wall, steady = map(float, process.stdout.readline().split())
            return wall, steady

        before = told()
        clock.shift(-86400)
        after = told()
        process.stdin.close()
    assert -86400.0 < after[0] - before[0] < -80000.0
    assert 0.0 < after[1] - before[1] < 6400.0
