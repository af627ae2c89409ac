import threading
import uuid
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from action_msgs.msg import GoalStatus
from any_action_client import AnyActionClient
from node_process import Ros
from reachy_agent_msgs.action import ExecuteTool
from waiting import wait_until

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nodes.convert import uuid_message
from reachy_agent_ros.nodes.goal_server import Goal, GoalServer

RESULT = ExecuteTool.Result(result_json="{}")


class Client:
    """A plain ROS client of the server under test."""

    def __init__(self, ros: Ros, name: str) -> None:
        self._client = AnyActionClient(ros.node, ExecuteTool, name)
        self.statuses: list[int] = []
        assert self._client.wait_for_server(10.0)

    def send(self, goal: ExecuteTool.Goal, feedback: Callable[[Any], None] | None = None) -> Any:
        """The handle of an accepted goal."""
        return finished(self._client.send_goal_async(goal, feedback, uuid_message(uuid.uuid4())))


def finished(future: Any) -> Any:
    wait_until(future.done, 10.0, "an answer")
    return future.result()


@pytest.fixture
def serve(ros: Ros) -> Callable[[Callable[[Goal], None]], tuple[GoalServer, Client]]:
    servers: list[GoalServer] = []

    def start(begin: Callable[[Goal], None]) -> tuple[GoalServer, Client]:
        name = f"goals_{uuid.uuid4().hex}"
        servers.append(GoalServer(ros.node, ExecuteTool, name, begin))
        return servers[-1], Client(ros, name)

    return start


def test_a_goal_ends_when_another_thread_says_so(serve) -> None:
    begun: list[Goal] = []
    server, client = serve(begun.append)
    handle = client.send(ExecuteTool.Goal(name="later"))
    result = handle.get_result_async()
    wait_until(lambda: bool(begun), 5.0, "the goal to begin")
    assert server.running == 1
    assert begun[0].request.name == "later"
    assert not result.done()
    threading.Thread(target=begun[0].end, args=(RESULT,)).start()
    answer = finished(result)
    assert (answer.status, answer.result.result_json) == (GoalStatus.STATUS_SUCCEEDED, "{}")
    assert server.running == 0


def test_many_goals_run_side_by_side_and_end_in_any_order(serve) -> None:
    begun: dict[str, Goal] = {}
    _, client = serve(lambda goal: begun.update({goal.request.name: goal}))
    names = [str(number) for number in range(8)]
    results = {name: client.send(ExecuteTool.Goal(name=name)).get_result_async() for name in names}
    for name in reversed(names):
        begun[name].end(ExecuteTool.Result(result_json=name))
        assert finished(results[name]).result.result_json == name


def test_an_error_ends_the_goal_aborted_and_is_told(serve) -> None:
    _, client = serve(lambda goal: goal.end(ExecuteTool.Result(), AgentError(ErrorCode.TOOL_FAILED, "No luck.")))
    answer = finished(client.send(ExecuteTool.Goal()).get_result_async())
    assert answer.status == GoalStatus.STATUS_ABORTED
    assert (answer.result.error_code, answer.result.error_msg) == (ErrorCode.TOOL_FAILED, "No luck.")


def test_a_goal_that_cannot_begin_ends_in_the_reason(serve) -> None:
    def refuse(_goal: Goal) -> None:
        raise AgentError(ErrorCode.INVALID_GOAL, "Nonsense.")

    server, client = serve(refuse)
    answer = finished(client.send(ExecuteTool.Goal()).get_result_async())
    assert answer.status == GoalStatus.STATUS_ABORTED
    assert (answer.result.error_code, answer.result.error_msg) == (ErrorCode.INVALID_GOAL, "Nonsense.")
    assert server.running == 0


def test_a_cancel_reaches_the_work_which_has_the_last_word(serve) -> None:
    def begin(goal: Goal) -> None:
        goal.cancel.on_cancel(lambda: goal.end(RESULT, AgentError(ErrorCode.CANCELED, "Cancelled.")))

    _, client = serve(begin)
    handle = client.send(ExecuteTool.Goal())
    result = handle.get_result_async()
    assert [goal.goal_id for goal in finished(handle.cancel_goal_async()).goals_canceling] == [handle.goal_id]
    answer = finished(result)
    assert (answer.status, answer.result.error_code) == (GoalStatus.STATUS_CANCELED, ErrorCode.CANCELED)


def test_work_that_ends_well_in_spite_of_a_cancel_succeeds(serve) -> None:
    begun: list[Goal] = []
    _, client = serve(begun.append)
    handle = client.send(ExecuteTool.Goal())
    result = handle.get_result_async()
    finished(handle.cancel_goal_async())
    begun[0].end(RESULT)
    assert finished(result).status == GoalStatus.STATUS_SUCCEEDED


def test_progress_is_told_on_the_way(serve) -> None:
    heard: list[float] = []
    ended: Future[None] = Future()

    def work(goal: Goal) -> None:
        for share in (0.25, 0.5):
            goal.report(ExecuteTool.Feedback(progress=share))
        ended.result()
        goal.end(RESULT)

    with ThreadPoolExecutor() as worker:
        _, client = serve(lambda goal: worker.submit(work, goal))
        handle = client.send(ExecuteTool.Goal(), lambda message: heard.append(message.feedback.progress))
        wait_until(lambda: heard == [0.25, 0.5], 5.0, "the progress")
        ended.set_result(None)
        assert finished(handle.get_result_async()).status == GoalStatus.STATUS_SUCCEEDED
