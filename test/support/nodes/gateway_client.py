"""Gateway in a separate process, with an HTTP client."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx

from reachy_agent_ros.core import names
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from support.failure_report import note_end
from support.nodes.node_process import NodeProcess, Ros
from support.waiting import PATIENCE, wait_until


def http_client(url: str | httpx.URL, token: str = "", timeout: float = PATIENCE) -> httpx.Client:
    """Returns a client for requests below `url`. Failure reports contain rejected requests.

    Args:
        url: Base URL.
        token: Access token; empty for none.
        timeout: Time limit for a response, s.
    """
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return httpx.Client(base_url=url, timeout=timeout, headers=headers, event_hooks={"response": [_note_rejection]})


@contextmanager
def gateway_client(ros: Ros, parameters: Mapping[str, Any]) -> Iterator[httpx.Client]:
    """Runs a gateway on a free port during a `with` block.

    Yields a client whose paths are relative to `/api/v1`.

    Args:
        ros: ROS node of the test.
        parameters: Parameters of the gateway, except its port.
    """
    with NodeProcess("gateway", {"port": 0, **parameters}) as gateway:
        watch = HeartbeatMonitor(ros.node, names.GATEWAY)
        gateway.wait_ready()
        wait_until(lambda: watch.last is not None and watch.last.pid == gateway.process.pid)
        assert watch.last is not None
        with http_client(f"{watch.last.detail}/api/v1") as client:
            yield client
        assert gateway.stop() == 0


def _note_rejection(response: httpx.Response) -> None:
    if response.is_error:
        response.read()
        request = response.request
        note_end(f"{request.method} {request.url.path}: status {response.status_code}, {response.text}")
