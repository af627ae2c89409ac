"""ROS domains of the tests, so that no graph hears another one that runs at the same time."""

from __future__ import annotations

import os
from enum import IntEnum

_OF_EACH = 25
"""Domains of a purpose: five for each of five processes that test side by side."""


class Purpose(IntEnum):
    """Graphs that one process of tests may have at the same time."""

    NODES = 0
    AGENT = 1
    GRAPH = 2
    NOBODY = 3
    """A domain in which nothing runs."""


def domain(purpose: Purpose) -> str:
    """The id, as `ROS_DOMAIN_ID` has it; 1 to 100, which need no port that others may have taken."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    return str(1 + purpose * _OF_EACH + worker % 5 * 5 + os.getpid() % 5)
