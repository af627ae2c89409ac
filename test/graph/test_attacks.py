"""The benchmarks of security in short, as a person runs them: every bar holds."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from support import MODULE_PATH

pytestmark = [pytest.mark.graph, pytest.mark.timeout(400)]

CANNOT = 2
"""Exit code of a benchmark that this machine has no means for."""


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("isolation", "--messages", "100"), marks=pytest.mark.nightly),
        pytest.param(("canary_secrets", "--short"), marks=pytest.mark.nightly),
        ("injection", "--short"),
    ],
    ids=lambda words: words[0],
)
def test_attacks_have_no_effect(words: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "chaos", *words, "--json"]
    environment = {**os.environ, "PYTHONPATH": MODULE_PATH}
    done = subprocess.run(command, capture_output=True, text=True, timeout=390, env=environment)
    if done.returncode == CANNOT:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    failed = [figure for figure in json.loads(done.stdout)["figures"] if not figure["holds"]]
    assert failed == [], done.stderr
