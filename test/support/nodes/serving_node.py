"""Small ROS node for tests of calls and heartbeats.

On request, it responds, hangs, rejects or stops sending.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from typing import Any

from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.task import Future
from reachy_agent_msgs.action import ExecuteTool
from reachy_agent_msgs.msg import Heartbeat
from std_srvs.srv import Trigger

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode, run
from reachy_agent_ros.settings.parameter import Parameter
from support import MODULE_PATH
from support.logged_process import LoggedProcess

NAME = "serving"

PARAMETERS = (
    Parameter("start", "ready", "State at the start", choices=("ready", "starting")),
    Parameter("share", 0.5, "Fraction, 0 to 1", low=0, high=1),
)

ACCEPTANCE = 0.5
"""Delay before the server accepts the goal `accept_late`, s. With a longer delay, the server would count as lost."""


class ServingNode(AgentNode):
    """Node with services and an action for tests.

    The services are `answer`, `hang` and `fall_silent`. The goal of the action `execute` names the behavior.

    The detail of its heartbeat states its current activity, so that a test can wait for it.
    """

    def __init__(self) -> None:
        super().__init__(NAME, {parameter.name: parameter for parameter in PARAMETERS})
        start = self.parameter("start")
        self.parameter("share")
        self._silent = False
        self._cancelled: Future[None] = Future()
        overlapping = ReentrantCallbackGroup()
        self.create_service(Trigger, "answer", self._answer)
        self.create_service(Trigger, "hang", self._hang, callback_group=overlapping)
        self.create_service(Trigger, "fall_silent", self._fall_silent)
        self._server = ActionServer(
            self,
            ExecuteTool,
            "execute",
            self._execute,
            callback_group=overlapping,
            goal_callback=self._accept,
            cancel_callback=self._cancel,
        )
        self.state = Heartbeat.READY if start == "ready" else Heartbeat.STARTING

    def working(self) -> bool:
        return not self._silent

    def _answer(self, _request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        response.success = True
        return response

    async def _hang(self, _request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        self.state_detail = "hanging"
        await Future(executor=self.executor)
        return response

    def _fall_silent(self, request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        self._silent = True
        return self._answer(request, response)

    def _accept(self, goal: ExecuteTool.Goal) -> GoalResponse:
        if goal.name == "accept_late":
            time.sleep(ACCEPTANCE)
        return GoalResponse.REJECT if goal.name == "reject" else GoalResponse.ACCEPT

    def _cancel(self, goal_handle: Any) -> CancelResponse:
        self.state_detail = "cancelling"
        if goal_handle.request.name != "ignore_cancel":
            self._cancelled.set_result(None)
        return CancelResponse.ACCEPT

    async def _execute(self, goal_handle: Any) -> ExecuteTool.Result:
        goal_handle.publish_feedback(ExecuteTool.Feedback(progress=0.5, status="half"))
        if goal_handle.request.name == "finish":
            goal_handle.succeed()
            return ExecuteTool.Result(result_json=goal_handle.request.arguments_json)
        self._cancelled = Future(executor=self.executor)
        self.state_detail = "executing"
        await self._cancelled
        goal_handle.canceled()
        return ExecuteTool.Result(error_code=ErrorCode.CANCELED, error_msg="Canceled.")


def serving(*arguments: str) -> LoggedProcess:
    """Runs the node in a separate process during a `with` block.

    Args:
        arguments: ROS arguments, for example `-p start:=starting`.
    """
    command = [sys.executable, __file__, *(("--ros-args", *arguments) if arguments else ())]
    return LoggedProcess(command, NAME, {**os.environ, "PYTHONPATH": MODULE_PATH})


if __name__ == "__main__":
    libc = ctypes.CDLL(None)
    libc.signal(
        signal.SIGUSR1, ctypes.cast(libc.pause, ctypes.c_void_p)
    )  # permanently halts the thread that receives the signal
    sys.exit(run(ServingNode))
