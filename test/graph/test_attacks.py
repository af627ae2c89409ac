"""Short runs of the security benchmarks as commands: every figure must meet its limit."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from support import MODULE_PATH

pytestmark = [pytest.mark.graph, pytest.mark.timeout(400)]

CANNOT = 2
"""Exit code of a benchmark that cannot run on this machine."""


@pytest.mark.nightly
@pytest.mark.parametrize(
    "words",
    [("isolation", "--messages", "100"), ("canary_secrets", "--short"), ("injection", "--short")],
    ids=lambda words: words[0],
)
def test_security_benchmark_meets_all_limits(words: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "chaos", *words, "--json"]
    environment = {**os.environ, "PYTHONPATH": MODULE_PATH}
    done = subprocess.run(command, capture_output=True, text=True, timeout=390, env=environment)
    if done.returncode == CANNOT:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    failed = [figure for figure in json.loads(done.stdout)["figures"] if not figure["holds"]]
    assert failed == [], done.stderr
