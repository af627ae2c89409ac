"""Shared test helpers: robot stubs, clients for each node, servers, and functions that wait for a state."""

import os
from pathlib import Path

TEST = Path(__file__).resolve().parents[1]
"""Folder of the tests."""

ROOT = TEST.parent
"""Root of the repository."""

MODULE_PATH = os.pathsep.join((str(ROOT), str(TEST)))
"""`PYTHONPATH` for programs that import `support` or other packages of the repository that are not installed."""
