"""A recorded conversation with the whole graph, in real time."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.graph

TIMEOUT = 300.0


def test_a_dialogue_with_interruptions_a_cough_and_motors_comes_out_right_line_by_line() -> None:
    command = [sys.executable, "-m", "reachy_agent_ros.cli", "bench", "dialogue", "--json"]
    played = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    assert played.returncode == 0, played.stderr
    assert all(figure["holds"] for figure in json.loads(played.stdout)["figures"]), played.stderr
