"""Node that learns from rewards."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.process import create_executor
from reachy_agent_ros.ros.trainer.corrections import Corrections


@contextmanager
def correcting(directory: Path) -> Iterator[str]:
    """Runs it in a thread, and gives its name, another one each time: a process takes a name only once."""
    node = AgentNode(f"correcting_{uuid.uuid4().hex}")
    executor = create_executor()
    executor.add_node(node)
    corrections = Corrections(node, directory)
    stop = threading.Event()

    def spin() -> None:
        while not stop.is_set():
            executor.spin_once(timeout_sec=0.1)

    thread = threading.Thread(target=spin)
    thread.start()
    try:
        yield node.get_name()
    finally:
        stop.set()
        thread.join()
        corrections.close()
        executor.shutdown()
        node.destroy_node()
