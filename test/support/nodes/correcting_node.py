"""Test node that learns from rewards."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reachy_agent_msgs.msg import ActionRecord

from reachy_agent_ros.core import names
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.convert import uuid_from_message
from reachy_agent_ros.ros.rclpy_ext.process import create_executor
from reachy_agent_ros.ros.trainer.corrections import Corrections
from reachy_agent_ros.settings.nodes import NODE_PARAMETERS


class ObservedCorrections(Corrections):
    """Corrections that record received actions.

    Tests wait for an action, because messages on different topics have no common order.
    """

    def __init__(self, node: AgentNode, directory: Path) -> None:
        self.name = node.get_name()
        self.received: set[uuid.UUID] = set()
        super().__init__(node, directory)

    def _remember(self, message: ActionRecord) -> None:
        super()._remember(message)
        self.received.add(uuid_from_message(message.act_id))


@contextmanager
def correcting(directory: Path) -> Iterator[ObservedCorrections]:
    """Runs the node in a thread.

    Each node has a different name, because a process can use a name only once.
    """
    node = AgentNode(f"correcting_{uuid.uuid4().hex}", NODE_PARAMETERS[names.TRAINER])
    executor = create_executor()
    executor.add_node(node)
    corrections = ObservedCorrections(node, directory)
    stop = threading.Event()

    def spin() -> None:
        while not stop.is_set():
            executor.spin_once(timeout_sec=0.1)

    thread = threading.Thread(target=spin)
    thread.start()
    try:
        yield corrections
    finally:
        stop.set()
        thread.join()
        corrections.close()
        executor.shutdown()
        node.destroy_node()
