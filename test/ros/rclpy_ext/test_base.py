import ctypes
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from rcl_interfaces.msg import Parameter, ParameterValue
from rcl_interfaces.srv import SetParameters, SetParametersAtomically

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.priority import raise_niceness
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.process import create_executor
from reachy_agent_ros.supervision.transport import FORGOTTEN
from support.nodes.node_process import Ros
from support.nodes.serving_node import NAME, serving
from support.waiting import wait_until


@pytest.fixture
def watch(ros: Ros) -> HeartbeatMonitor:
    return HeartbeatMonitor(ros.node, NAME)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_node_exits_with_code_0_on_signal(watch: HeartbeatMonitor, number: signal.Signals) -> None:
    with serving() as process:
        wait_until(lambda: watch.ready, "the node to be ready")
        process.send_signal(number)
        process.wait(10.0)
    assert (process.returncode, process.output) == (0, "")


def test_node_exits_after_suspension_longer_than_participant_lease(watch: HeartbeatMonitor) -> None:
    with serving() as process:
        wait_until(lambda: watch.ready, "the node to be ready")
        process.send_signal(signal.SIGSTOP)
        halted = Deadline(FORGOTTEN + 0.5)
        wait_until(lambda: halted.passed, "the others to forget it")
        process.send_signal(signal.SIGCONT)
        process.wait(10.0)
    assert process.returncode == 1
    assert process.output.startswith("This process was suspended for ")


def test_node_exits_with_code_1_if_middleware_is_stuck(watch: HeartbeatMonitor) -> None:
    with serving() as process:
        wait_until(lambda: watch.ready, "the node to be ready")
        for task in Path(f"/proc/{process.pid}/task").iterdir():
            if (task / "comm").read_text().startswith("dds.ev."):
                assert ctypes.CDLL(None).tgkill(process.pid, int(task.name), signal.SIGUSR1) == 0
        process.wait(30.0)
    assert process.returncode == 1
    assert process.output.startswith("The middleware is stuck")


def test_middleware_threads_have_higher_priority(watch: HeartbeatMonitor) -> None:
    with ThreadPoolExecutor(1) as thread:
        raised = thread.submit(raise_niceness).result()
    with serving() as process:
        wait_until(lambda: watch.ready, "the node to be ready")
        tasks = Path(f"/proc/{process.pid}/task").iterdir()
        threads = [int(task.name) for task in tasks if (task / "comm").read_text().startswith("dds.")]
        found = {os.getpriority(os.PRIO_PROCESS, thread) for thread in threads}
    assert found == {os.getpriority(os.PRIO_PROCESS, 0) if raised == "normal" else int(raised.removeprefix("nice "))}


def test_second_node_with_same_name_exits_with_code_1(watch: HeartbeatMonitor) -> None:
    with serving() as first:
        wait_until(lambda: watch.ready, "the node to be ready")
        with serving() as second:
            second.wait(30.0)
        assert second.returncode == 1
        assert f"is already running as process {first.pid}" in second.output
        assert "Traceback" not in second.output


@pytest.mark.parametrize(
    ("assignment", "complaint"),
    [
        ("start:=sideways", "expected ready or starting"),
        ("share:=2.0", "share"),
        ("start:=http://robot:hunter2@db", "start contains a password"),
    ],
)
def test_node_with_invalid_or_secret_parameter_exits_with_code_1(ros: Ros, assignment: str, complaint: str) -> None:
    with serving("-p", assignment) as process:
        process.wait(30.0)
    assert process.returncode == 1
    assert complaint in process.output
    assert "Traceback" not in process.output


@pytest.mark.parametrize("atomically", [False, True])
def test_node_rejects_parameter_of_unknown_type(ros: Ros, watch: HeartbeatMonitor, atomically: bool) -> None:
    kind = SetParametersAtomically if atomically else SetParameters
    with serving():
        wait_until(lambda: watch.ready, "the node to be ready")
        before = watch.last
        assert before is not None
        client = ros.node.create_client(
            kind, f"{NAME}/{'set_parameters_atomically' if atomically else 'set_parameters'}"
        )
        wait_until(client.service_is_ready, "the service to be there")
        wrong = Parameter(name="share", value=ParameterValue(type=255))
        answer = client.call_async(kind.Request(parameters=[wrong]))
        wait_until(answer.done, "the answer")
        told = answer.result()
        assert not (told.result if atomically else told.results[0]).successful
        wait_until(lambda: watch.last is not None and watch.last.sequence > before.sequence, "a heartbeat")
        assert watch.last is not None
        assert watch.last.pid == before.pid


def test_node_with_many_timers_prints_nothing(ros: Ros, capfd: pytest.CaptureFixture[str]) -> None:
    node = AgentNode("many_timers", {})
    called: set[int] = set()
    for number in range(9):
        node.every(0.01, partial(called.add, number))
    executor = create_executor()
    executor.add_node(node)

    def all_called() -> bool:
        executor.spin_once(timeout_sec=0.1)
        return len(called) == 9

    wait_until(all_called, "the timers")
    executor.shutdown()
    node.destroy_node()
    assert capfd.readouterr() == ("", "")
