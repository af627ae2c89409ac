"""A gateway in a process of its own, and an HTTP client of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx

from reachy_agent_ros.core import names
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from support.nodes.node_process import NodeProcess, Ros
from support.waiting import wait_until

LIMIT = 30.0
"""Seconds within which anything here happens, even on a busy machine."""


@contextmanager
def gateway_client(ros: Ros, parameters: Mapping[str, Any]) -> Iterator[httpx.Client]:
    """Starts a gateway at any free port, for a `with` block; the client's paths begin below `/api/v1`.

    Args:
        ros: Of the test.
        parameters: Of the node, besides its port.
    """
    with NodeProcess("gateway", {"port": 0, **parameters}) as gateway:
        watch = HeartbeatMonitor(ros.node, names.GATEWAY)
        gateway.wait_ready()
        wait_until(lambda: watch.last is not None and watch.last.pid == gateway.process.pid, LIMIT)
        assert watch.last is not None
        with httpx.Client(base_url=f"{watch.last.detail}/api/v1", timeout=LIMIT) as client:
            yield client
        assert gateway.stop() == 0
