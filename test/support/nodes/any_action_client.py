"""Action client of rclpy, as third-party programs use it."""

from __future__ import annotations

import threading
from typing import Any

from rclpy.action import ActionClient


class AnyActionClient(ActionClient[Any, Any, Any]):
    """May be made while another thread spins its node.

    rclpy 9.1 shows a new client to the executor before it has given it its lock, and the executor's thread dies of an
    AttributeError then; until the client has its own it finds this one.
    """

    _lock = threading.Lock()
