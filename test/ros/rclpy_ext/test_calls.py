import gc
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
import rclpy.task
from rclpy.action import ActionClient
from reachy_agent_msgs.action import ExecuteTool
from reachy_agent_msgs.srv import GetTool
from std_srvs.srv import Trigger

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext import calls
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller, ServiceCaller, error_of, require_success
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from support.logged_process import LoggedProcess
from support.nodes.node_process import Ros
from support.nodes.serving_node import ACCEPTANCE, NAME, serving
from support.waiting import wait_until

LONG = 60.0
SHORT = 0.3


class Server:
    """Process of the server node. It is restarted after a test has killed it."""

    def __init__(self, watch: HeartbeatMonitor) -> None:
        self._watch = watch
        self._process: LoggedProcess | None = None

    def ensure(self) -> None:
        if self._process is None:
            self._process = serving()
            wait_until(self._ready, "the server to be ready")

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _ready(self) -> bool:
        beat = self._watch.last
        return self._watch.ready and beat is not None and self._process is not None and beat.pid == self._process.pid


@pytest.fixture(scope="module")
def watch(ros: Ros) -> HeartbeatMonitor:
    return HeartbeatMonitor(ros.node, NAME)


@pytest.fixture(scope="module")
def execute(ros: Ros, watch: HeartbeatMonitor) -> ActionCaller:
    return ActionCaller(ros.node, ExecuteTool, "execute", watch)


@pytest.fixture(scope="module")
def process(watch: HeartbeatMonitor) -> Iterator[Server]:
    """Server process shared by all tests, because it takes seconds to start."""
    server = Server(watch)
    yield server
    server.kill()


@pytest.fixture
def server(process: Server) -> Server:
    """Running server. It is restarted if an earlier test has killed it."""
    process.ensure()
    return process


@pytest.fixture
def new_server(process: Server) -> Server:
    """Newly started server.

    Its heartbeat shows only the activity that the requests of this test cause.
    """
    process.kill()
    process.ensure()
    return process


@pytest.fixture
def workers() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor() as pool:
        yield pool


def wait_detail(watch: HeartbeatMonitor, detail: str) -> None:
    wait_until(lambda: watch.last is not None and watch.last.detail == detail, f"the server to be {detail}")


def failure(future: Future[Any]) -> ErrorCode:
    error = future.exception(timeout=30.0)
    assert isinstance(error, AgentError)
    return error.code


@pytest.mark.usefixtures("server")
def test_service_call_returns_response(ros: Ros, watch: HeartbeatMonitor) -> None:
    assert ServiceCaller(ros.node, Trigger, "answer", watch).call(Trigger.Request()).success


def test_call_of_missing_service_raises_server_unavailable(ros: Ros, watch: HeartbeatMonitor) -> None:
    with pytest.raises(AgentError) as caught:
        ServiceCaller(ros.node, Trigger, "nobody_offers_this", watch).call(Trigger.Request(), SHORT)
    assert caught.value.code is ErrorCode.SERVER_UNAVAILABLE


@pytest.mark.usefixtures("server")
def test_call_of_service_without_heartbeat_raises_server_unavailable(ros: Ros) -> None:
    watch = HeartbeatMonitor(ros.node, "nobody")
    with pytest.raises(AgentError, match="not running") as caught:
        ServiceCaller(ros.node, Trigger, "answer", watch).call(Trigger.Request(), SHORT)
    assert caught.value.code is ErrorCode.SERVER_UNAVAILABLE


@pytest.mark.usefixtures("server")
def test_call_of_hanging_service_times_out(ros: Ros, watch: HeartbeatMonitor) -> None:
    with pytest.raises(AgentError) as caught:
        ServiceCaller(ros.node, Trigger, "hang", watch).call(Trigger.Request(), SHORT)
    assert caught.value.code is ErrorCode.TIMEOUT


def test_service_call_fails_if_server_is_killed(
    ros: Ros, watch: HeartbeatMonitor, new_server: Server, workers: ThreadPoolExecutor
) -> None:
    caller = ServiceCaller(ros.node, Trigger, "hang", watch)
    future = workers.submit(caller.call, Trigger.Request(), LONG)
    wait_detail(watch, "hanging")
    new_server.kill()
    assert failure(future) is ErrorCode.SERVER_LOST


def test_rclpy_client_waits_forever_for_killed_server(ros: Ros, watch: HeartbeatMonitor, new_server: Server) -> None:
    client = ros.node.create_client(Trigger, "hang")
    wait_until(client.service_is_ready, "the service")
    future = client.call_async(Trigger.Request())
    wait_detail(watch, "hanging")
    new_server.kill()
    wait_until(lambda: not watch.alive, "the server to be missed")
    assert not future.done(), "rclpy ends the call now: see the README of rclpy_ext"
    ros.node.destroy_client(client)


def test_action_caller_does_not_subscribe_to_status_unlike_rclpy_client(ros: Ros, watch: HeartbeatMonitor) -> None:
    topic = "unserved/_action/status"
    ActionCaller(ros.node, ExecuteTool, "unserved", watch)
    assert ros.node.count_subscribers("unserved/_action/feedback") == 1
    assert ros.node.count_subscribers(topic) == 0
    client = ActionClient(ros.node, ExecuteTool, "unserved")
    assert ros.node.count_subscribers(topic) == 1
    client.destroy()


def pending_futures() -> int:
    gc.collect()
    return sum(not each.done() for each in gc.get_objects() if type(each) is rclpy.task.Future)


@pytest.mark.usefixtures("server")
def test_action_caller_releases_futures_unlike_rclpy_client(ros: Ros, execute: ActionCaller) -> None:
    goal = ExecuteTool.Goal(name="finish", arguments_json="{}")
    execute.call(goal, LONG)
    before = pending_futures()
    for _ in range(3):
        execute.call(goal, LONG)
    wait_until(lambda: pending_futures() <= before, "the futures to go")
    client = ActionClient(ros.node, ExecuteTool, "execute")
    assert client.wait_for_server(10.0)
    for _ in range(3):
        sent = client.send_goal_async(goal)
        wait_until(sent.done, "the goal to be accepted")
        result = sent.result().get_result_async()
        wait_until(result.done, "the result")
    assert pending_futures() >= before + 3, "rclpy keeps no futures now: see the README of rclpy_ext"
    client.destroy()


@pytest.mark.usefixtures("server")
def test_goal_returns_feedback_and_result(execute: ActionCaller) -> None:
    feedback: list[str] = []
    goal = ExecuteTool.Goal(name="finish", arguments_json='{"a": 1}')
    result = execute.call(goal, LONG, on_feedback=lambda message: feedback.append(message.status))
    assert result.result_json == '{"a": 1}'
    wait_until(lambda: feedback == ["half"], "the feedback")


@pytest.mark.usefixtures("server")
def test_each_concurrent_goal_receives_its_own_result(execute: ActionCaller, workers: ThreadPoolExecutor) -> None:
    goals = [ExecuteTool.Goal(name="finish", arguments_json=str(number)) for number in range(8)]
    results = list(workers.map(lambda goal: execute.call(goal, LONG), goals))
    assert [result.result_json for result in results] == [goal.arguments_json for goal in goals]


@pytest.mark.usefixtures("server")
def test_rejected_goal_raises_invalid_goal(execute: ActionCaller) -> None:
    with pytest.raises(AgentError) as caught:
        execute.call(ExecuteTool.Goal(name="reject"), LONG)
    assert caught.value.code is ErrorCode.INVALID_GOAL


@pytest.mark.usefixtures("server")
def test_cancelled_goal_returns_result_from_server(
    execute: ActionCaller, watch: HeartbeatMonitor, workers: ThreadPoolExecutor
) -> None:
    cancel = CancelToken()
    future = workers.submit(execute.call, ExecuteTool.Goal(name="wait"), LONG, cancel)
    wait_detail(watch, "executing")
    cancel.cancel()
    assert future.result(30.0).error_code == ErrorCode.CANCELED


@pytest.mark.usefixtures("server")
def test_ask_returns_result_without_error(execute: ActionCaller) -> None:
    assert execute.ask(ExecuteTool.Goal(name="finish", arguments_json="{}"), LONG).result_json == "{}"


@pytest.mark.usefixtures("server")
def test_ask_raises_error_of_result(execute: ActionCaller) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(AgentError, match="Canceled") as caught:
        execute.ask(ExecuteTool.Goal(name="wait"), LONG, cancel)
    assert caught.value.code is ErrorCode.CANCELED


def test_require_success_returns_response_without_error() -> None:
    answer = GetTool.Response(version=1)
    assert error_of(answer) is None
    assert require_success(answer) is answer


def test_require_success_raises_error_of_response() -> None:
    answer = GetTool.Response(error_code=int(ErrorCode.UNKNOWN_TOOL), error_msg="There is no such tool.")
    with pytest.raises(AgentError, match="no such tool") as caught:
        require_success(answer)
    assert caught.value.code is ErrorCode.UNKNOWN_TOOL


@pytest.mark.usefixtures("server")
def test_goal_with_cancelled_token_is_cancelled(execute: ActionCaller) -> None:
    cancel = CancelToken()
    cancel.cancel()
    assert execute.call(ExecuteTool.Goal(name="wait"), LONG, cancel).error_code == ErrorCode.CANCELED


@pytest.mark.usefixtures("new_server")
def test_goal_that_server_accepts_too_late_is_cancelled(
    execute: ActionCaller, watch: HeartbeatMonitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "ACCEPT_TIMEOUT", ACCEPTANCE / 5)
    with pytest.raises(AgentError) as caught:
        execute.call(ExecuteTool.Goal(name="accept_late"), LONG)
    assert caught.value.code is ErrorCode.TIMEOUT
    wait_detail(watch, "cancelling")


@pytest.mark.usefixtures("server")
def test_action_caller_does_not_wait_for_server_that_ignores_cancel(
    execute: ActionCaller, watch: HeartbeatMonitor, workers: ThreadPoolExecutor
) -> None:
    cancel = CancelToken()
    future = workers.submit(execute.call, ExecuteTool.Goal(name="ignore_cancel"), LONG, cancel)
    wait_detail(watch, "executing")
    cancel.cancel()
    assert failure(future) is ErrorCode.TIMEOUT


@pytest.mark.usefixtures("server")
def test_goal_is_cancelled_on_timeout(execute: ActionCaller, watch: HeartbeatMonitor) -> None:
    with pytest.raises(AgentError) as caught:
        execute.call(ExecuteTool.Goal(name="wait"), SHORT)
    assert caught.value.code is ErrorCode.TIMEOUT
    wait_detail(watch, "cancelling")


def test_goal_fails_if_server_is_killed(
    execute: ActionCaller, watch: HeartbeatMonitor, new_server: Server, workers: ThreadPoolExecutor
) -> None:
    future = workers.submit(execute.call, ExecuteTool.Goal(name="wait"), LONG)
    wait_detail(watch, "executing")
    new_server.kill()
    assert failure(future) is ErrorCode.SERVER_LOST


def test_goal_for_stopped_server_raises_server_unavailable(
    execute: ActionCaller, watch: HeartbeatMonitor, server: Server
) -> None:
    server.kill()
    wait_until(lambda: not watch.alive, "the server to be missed")
    with pytest.raises(AgentError) as caught:
        execute.call(ExecuteTool.Goal(name="finish"), SHORT)
    assert caught.value.code is ErrorCode.SERVER_UNAVAILABLE


def test_restarted_server_accepts_goals(execute: ActionCaller, server: Server) -> None:
    server.kill()
    server.ensure()
    assert execute.call(ExecuteTool.Goal(name="finish", arguments_json="{}"), LONG).result_json == "{}"
