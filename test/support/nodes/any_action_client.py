"""rclpy action client, as used by third-party programs."""

from __future__ import annotations

import threading
from typing import Any

from rclpy.action import ActionClient


class AnyActionClient(ActionClient[Any, Any, Any]):
    """Action client that can be created while another thread spins its node.

    rclpy 9.1 adds a new client to the executor before it sets the client's lock, so the executor's thread can fail with
    an AttributeError. This class attribute serves as the lock until the client has its own.
    """

    _lock = threading.Lock()
