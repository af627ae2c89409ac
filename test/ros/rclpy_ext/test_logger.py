from __future__ import annotations

import inspect
from collections.abc import Iterator

import pytest
from rcl_interfaces.msg import Log
from rclpy.impl.rcutils_logger import RcutilsLogger
from rclpy.logging import LoggingSeverity
from rclpy.qos import QoSPresetProfiles

from reachy_agent_ros.ros.rclpy_ext.logger import NodeLogger
from support.nodes.node_process import Ros
from support.waiting import wait_until


@pytest.fixture
def logged(ros: Ros) -> Iterator[list[Log]]:
    """Messages of the test's node on `/rosout`."""
    found: list[Log] = []
    subscription = ros.node.create_subscription(Log, "/rosout", found.append, QoSPresetProfiles.SENSOR_DATA.value)
    wait_until(lambda: ros.node.count_publishers("/rosout") > 0)
    beginning = ros.node.get_logger()
    wait_until(lambda: beginning.info("Begin.") and bool(found), "the subscription to be matched")
    yield found
    ros.node.destroy_subscription(subscription)


def here() -> int:
    """Returns the line number of the caller."""
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    return frame.f_back.f_lineno


@pytest.mark.parametrize("kind", [NodeLogger, RcutilsLogger])
def test_message_names_calling_line(ros: Ros, logged: list[Log], kind: type[RcutilsLogger]) -> None:
    logger = kind(ros.node.get_logger().name)
    line = here() + 1
    assert logger.warning(f"{kind.__name__} speaks.")
    wait_until(lambda: any(log.msg == f"{kind.__name__} speaks." for log in logged))
    log = next(log for log in logged if log.msg == f"{kind.__name__} speaks.")
    assert (log.name, log.level) == (logger.name, int(LoggingSeverity.WARN))
    assert (log.file, log.function, log.line) == (__file__, "test_message_names_calling_line", line)


def test_skips_messages_below_level_of_logger(ros: Ros) -> None:
    logger = NodeLogger(ros.node.get_logger().name)
    assert not logger.debug("Not shown.")


def test_filter_applies_to_each_calling_line(ros: Ros) -> None:
    logger = NodeLogger(ros.node.get_logger().name)
    assert [logger.info("One.", once=True) for _ in range(3)] == [True, False, False]
    assert [logger.warning("Another.", once=True) for _ in range(3)] == [True, False, False]
