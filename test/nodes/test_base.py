import signal

import pytest
from node_process import Ros
from serving_node import NAME, serving
from waiting import wait_until

from reachy_agent_ros.nodes.heartbeat import HeartbeatWatch


@pytest.fixture
def watch(ros: Ros) -> HeartbeatWatch:
    return HeartbeatWatch(ros.node, NAME)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signalled_node_ends_with_code_0(watch: HeartbeatWatch, number: signal.Signals) -> None:
    with serving() as process:
        wait_until(lambda: watch.ready, 30.0, "the node to be ready")
        process.send_signal(number)
        _, errors = process.communicate(timeout=10.0)
    assert (process.returncode, errors) == (0, "")


def test_a_second_node_of_a_name_ends_with_code_1_and_names_the_first(watch: HeartbeatWatch) -> None:
    with serving() as first:
        wait_until(lambda: watch.ready, 30.0, "the node to be ready")
        with serving() as second:
            _, errors = second.communicate(timeout=30.0)
        assert second.returncode == 1
        assert f"already runs as process {first.pid}" in errors


@pytest.mark.parametrize(
    ("assignment", "complaint"), [("start:=sideways", "one of ready, starting"), ("share:=2.0", "share")]
)
def test_a_parameter_out_of_its_bounds_ends_the_node_with_code_1(ros: Ros, assignment: str, complaint: str) -> None:
    with serving("-p", assignment) as process:
        _, errors = process.communicate(timeout=30.0)
    assert process.returncode == 1
    assert complaint in errors
    assert "Traceback" not in errors
