"""Report of a failed wait. It describes the awaited node and the calls to this node."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from reachy_agent_msgs.action import ExecuteTool
from std_srvs.srv import Trigger

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from support.nodes.node_process import NodeProcess, Ros
from support.nodes.observed_calls import ActionCaller, ServiceCaller
from support.nodes.serving_node import NAME, serving
from support.waiting import wait_until


def failed_wait() -> str:
    with pytest.raises(AssertionError) as error:
        wait_until(lambda: False, "nothing", timeout=0.0)
    return str(error.value)


def test_failed_wait_reports_completed_and_running_calls(ros: Ros) -> None:
    watch = HeartbeatMonitor(ros.node, NAME)
    execute, hang = (
        ActionCaller(ros.node, ExecuteTool, "execute", watch),
        ServiceCaller(ros.node, Trigger, "hang", watch),
    )
    stop = CancelToken()
    with serving(), ThreadPoolExecutor() as pool:
        wait_until(lambda: watch.ready, "the node to be ready")
        with pytest.raises(AgentError) as error:
            execute.call(ExecuteTool.Goal(name="reject"), 30.0)
        assert error.value.code is ErrorCode.INVALID_GOAL
        hanging = pool.submit(hang.call, Trigger.Request(), 60.0, stop)
        wait_until(lambda: watch.last is not None and watch.last.detail == "hanging", "the call to arrive")
        report = failed_wait()
        stop.cancel()
        assert isinstance(hanging.exception(30.0), AgentError)
    assert "name='reject'" in report
    assert "execute rejected the goal." in report
    assert "- hang std_srvs.srv.Trigger_Request(): still executing after " in report
    assert "serving, test" in report


def test_failed_wait_reports_heartbeat_and_output_of_node(ros: Ros) -> None:
    with NodeProcess("trainer") as trainer:
        trainer.wait_ready()
        assert f"trainer is ready, says the heartbeat of process {trainer.process.pid}" in failed_wait()
        trainer.stop()
        assert f"trainer (process {trainer.process.pid}): ended with code 0" in failed_wait()


def test_error_of_node_that_cannot_start_states_reason(ros: Ros) -> None:
    with NodeProcess("camera", {"scene": "moon"}) as camera, pytest.raises(AssertionError) as error:
        camera.wait_ready()
    assert "camera ended with code 1" in str(error.value)
    assert "scene" in str(error.value).partition("Last lines of")[2]
