"""Helpers that the tests share: doubles of the robot, clients of each node, servers, and waits for a state."""

import os
from pathlib import Path

TEST = Path(__file__).resolve().parents[1]
"""The folder of the tests."""

ROOT = TEST.parent
"""The repository."""

MODULE_PATH = os.pathsep.join((str(ROOT), str(TEST)))
"""`PYTHONPATH` of programs that import `support` or another package of the repository that is not installed."""
