import threading
import uuid
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from action_msgs.msg import GoalInfo, GoalStatus, GoalStatusArray
from action_msgs.srv import CancelGoal
from rclpy.action import get_action_names_and_types
from reachy_agent_msgs.action import ExecuteTool

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.convert import uuid_message
from reachy_agent_ros.ros.rclpy_ext.goal_server import Goal, GoalServer
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED
from support.nodes.any_action_client import AnyActionClient
from support.nodes.node_process import Ros
from support.waiting import wait_until

RESULT = ExecuteTool.Result(result_json="{}")


class Client:
    """rclpy action client for the server under test."""

    def __init__(self, ros: Ros, name: str) -> None:
        self._client = AnyActionClient(ros.node, ExecuteTool, name)
        self._cancels = ros.node.create_client(CancelGoal, f"{name}/_action/cancel_goal")
        self._results = ros.node.create_client(ExecuteTool.Impl.GetResultService, f"{name}/_action/get_result")
        assert self._client.wait_for_server(10.0)

    def send(self, goal: ExecuteTool.Goal, feedback: Callable[[Any], None] | None = None) -> Any:
        """Sends a goal, waits until the server accepts it, and returns its handle."""
        return finished(self.offer(goal, uuid.uuid4(), feedback))

    def offer(self, goal: ExecuteTool.Goal, name: uuid.UUID, feedback: Callable[[Any], None] | None = None) -> Any:
        """Sends a goal with the given id and returns a future for its handle."""
        return self._client.send_goal_async(goal, feedback, uuid_message(name))

    def cancel(self, meant: GoalInfo) -> CancelGoal.Response:
        """Requests a cancellation without a goal handle, and returns the response."""
        return finished(self._cancels.call_async(CancelGoal.Request(goal_info=meant)))

    def result(self, name: uuid.UUID) -> Any:
        """Requests the result of a goal by id and returns the response."""
        return finished(self._results.call_async(ExecuteTool.Impl.GetResultService.Request(goal_id=uuid_message(name))))


def finished(future: Any) -> Any:
    wait_until(future.done, "an answer")
    return future.result()


@pytest.fixture
def serve(ros: Ros) -> Callable[..., tuple[GoalServer, Client]]:
    servers: list[GoalServer] = []

    def start(begin: Callable[[Goal], None], name: str = "") -> tuple[GoalServer, Client]:
        name = name or f"goals_{uuid.uuid4().hex}"
        servers.append(GoalServer(ros.node, ExecuteTool, name, begin))
        return servers[-1], Client(ros, name)

    return start


def test_goal_can_end_in_another_thread(serve) -> None:
    begun: list[Goal] = []
    server, client = serve(begun.append)
    handle = client.send(ExecuteTool.Goal(name="later"))
    result = handle.get_result_async()
    wait_until(lambda: bool(begun), "the goal to begin")
    assert server.running == 1
    assert begun[0].request.name == "later"
    assert not result.done()
    threading.Thread(target=begun[0].end, args=(RESULT,)).start()
    answer = finished(result)
    assert (answer.status, answer.result.result_json) == (GoalStatus.STATUS_SUCCEEDED, "{}")
    assert server.running == 0


def test_concurrent_goals_end_in_any_order(serve) -> None:
    begun: dict[str, Goal] = {}
    _, client = serve(lambda goal: begun.update({goal.request.name: goal}))
    names = [str(number) for number in range(8)]
    results = {name: client.send(ExecuteTool.Goal(name=name)).get_result_async() for name in names}
    for name in reversed(names):
        begun[name].end(ExecuteTool.Result(result_json=name))
        assert finished(results[name]).result.result_json == name


def test_error_aborts_goal_with_code_and_message(serve) -> None:
    _, client = serve(lambda goal: goal.end(ExecuteTool.Result(), AgentError(ErrorCode.TOOL_FAILED, "No luck.")))
    answer = finished(client.send(ExecuteTool.Goal()).get_result_async())
    assert answer.status == GoalStatus.STATUS_ABORTED
    assert (answer.result.error_code, answer.result.error_msg) == (ErrorCode.TOOL_FAILED, "No luck.")


def test_goal_fails_with_error_raised_by_begin(serve) -> None:
    def refuse(_goal: Goal) -> None:
        raise AgentError(ErrorCode.INVALID_GOAL, "Nonsense.")

    server, client = serve(refuse)
    answer = finished(client.send(ExecuteTool.Goal()).get_result_async())
    assert answer.status == GoalStatus.STATUS_ABORTED
    assert (answer.result.error_code, answer.result.error_msg) == (ErrorCode.INVALID_GOAL, "Nonsense.")
    assert server.running == 0


def test_goal_callback_determines_result_of_cancelled_goal(serve) -> None:
    def begin(goal: Goal) -> None:
        goal.cancel.on_cancel(lambda: goal.end(RESULT, AgentError(ErrorCode.CANCELED, "Canceled.")))

    _, client = serve(begin)
    handle = client.send(ExecuteTool.Goal())
    result = handle.get_result_async()
    assert [goal.goal_id for goal in finished(handle.cancel_goal_async()).goals_canceling] == [handle.goal_id]
    answer = finished(result)
    assert (answer.status, answer.result.error_code) == (GoalStatus.STATUS_CANCELED, ErrorCode.CANCELED)


def test_goal_that_completes_despite_cancel_succeeds(serve) -> None:
    begun: list[Goal] = []
    _, client = serve(begun.append)
    handle = client.send(ExecuteTool.Goal())
    result = handle.get_result_async()
    finished(handle.cancel_goal_async())
    begun[0].end(RESULT)
    assert finished(result).status == GoalStatus.STATUS_SUCCEEDED


def test_goal_server_publishes_feedback_of_goal(serve) -> None:
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
        wait_until(lambda: heard == [0.25, 0.5], "the progress")
        ended.set_result(None)
        assert finished(handle.get_result_async()).status == GoalStatus.STATUS_SUCCEEDED


def cancels_at_once(goal: Goal) -> None:
    goal.cancel.on_cancel(lambda: goal.end(RESULT, AgentError(ErrorCode.CANCELED, "Canceled.")))


def test_cancel_without_goal_id_cancels_all_goals(serve) -> None:
    server, client = serve(cancels_at_once)
    handles = [client.send(ExecuteTool.Goal()) for _ in range(3)]
    answer = client.cancel(GoalInfo())
    assert answer.return_code == CancelGoal.Response.ERROR_NONE
    assert [goal.goal_id for goal in answer.goals_canceling] == [handle.goal_id for handle in handles]
    wait_until(lambda: server.running == 0, "the goals to end")
    assert client.cancel(GoalInfo()).return_code == CancelGoal.Response.ERROR_NONE


def test_cancel_with_stamp_cancels_earlier_goals(serve) -> None:
    server, client = serve(cancels_at_once)
    older, newer = (client.send(ExecuteTool.Goal()) for _ in range(2))
    answer = client.cancel(GoalInfo(stamp=older.stamp))
    assert [goal.goal_id for goal in answer.goals_canceling] == [older.goal_id]
    wait_until(lambda: server.running == 1, "the older goal to end")
    finished(newer.cancel_goal_async())


def test_cancel_response_distinguishes_ended_and_unknown_goals(serve) -> None:
    _, client = serve(lambda goal: goal.end(RESULT))
    handle = client.send(ExecuteTool.Goal())
    finished(handle.get_result_async())
    over = client.cancel(GoalInfo(goal_id=handle.goal_id))
    assert over.return_code == CancelGoal.Response.ERROR_GOAL_TERMINATED
    never = client.cancel(GoalInfo(goal_id=uuid_message(uuid.uuid4())))
    assert never.return_code == CancelGoal.Response.ERROR_UNKNOWN_GOAL_ID


def test_goal_result_can_be_requested_repeatedly(serve) -> None:
    _, client = serve(lambda goal: goal.end(ExecuteTool.Result(result_json="[1]")))
    name = uuid.uuid4()
    finished(client.offer(ExecuteTool.Goal(), name))
    assert [client.result(name).result.result_json for _ in range(2)] == ["[1]", "[1]"]
    assert client.result(uuid.uuid4()).status == GoalStatus.STATUS_UNKNOWN


def test_goal_server_rejects_reused_goal_id(serve) -> None:
    begun: list[Goal] = []
    _, client = serve(begun.append)
    name = uuid.uuid4()
    assert finished(client.offer(ExecuteTool.Goal(), name)).accepted
    assert not finished(client.offer(ExecuteTool.Goal(), name)).accepted
    begun[0].end(RESULT)
    assert not finished(client.offer(ExecuteTool.Goal(), name)).accepted
    assert len(begun) == 1


def test_ros_tools_list_action_and_goal_states(serve, ros: Ros) -> None:
    begun: list[Goal] = []
    name = f"goals_{uuid.uuid4().hex}"
    _, client = serve(begun.append, name)
    seen: list[dict[bytes, int]] = []

    def note(message: GoalStatusArray) -> None:
        seen.append({bytes(status.goal_info.goal_id.uuid): status.status for status in message.status_list})

    ros.node.create_subscription(GoalStatusArray, f"{name}/_action/status", note, LATCHED)
    actions = dict(get_action_names_and_types(ros.node))
    assert any(
        found.endswith(name) and types == ["reachy_agent_msgs/action/ExecuteTool"] for found, types in actions.items()
    )
    handle = client.send(ExecuteTool.Goal())
    goal = bytes(handle.goal_id.uuid)
    for act, state in (
        (lambda: None, GoalStatus.STATUS_EXECUTING),
        (handle.cancel_goal_async, GoalStatus.STATUS_CANCELING),
        (lambda: begun[0].end(RESULT), GoalStatus.STATUS_SUCCEEDED),
    ):
        act()
        wait_until(lambda state=state: bool(seen) and seen[-1].get(goal) == state, f"the state {state}")
