"""Client for long-running goals of the trainer. Prints the progress, and cancels the goal on Ctrl-C."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import Any

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import TRAINER
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller, require_success

_GRACE = 15.0
"""Margin for the trainer beyond its own limit or after a cancellation, s."""

_LARGEST = 2**32 - 1


class TrainerAction:
    """Client for an action of the trainer.

    Args:
        action_type: Action type, for example `reachy_agent_msgs.action.Train`.
        name: Action name.
        namespace: Namespace of the graph.
    """

    def __init__(self, action_type: type, name: str, namespace: str) -> None:
        self._type = action_type
        self._name = name
        self._namespace = namespace

    def run(self, goal: Any, limit: float, show: Callable[[Any], None], cancel: CancelToken | None = None) -> Any:
        """Sends a goal and waits for its result. After Ctrl-C, cancels the goal and still waits for the result.

        Args:
            goal: Message of the action's Goal type.
            limit: Time limit of the trainer, s.
            show: Called with each Feedback message.
            cancel: Token that cancels the goal.


        Raises:
            AgentError: Error of the result, or an error of the call.
        """
        token = cancel or CancelToken()
        with GraphClient(self._name, self._namespace) as client:
            caller = ActionCaller(client.node, self._type, self._name, client.watch(TRAINER))
            answer: Future[Any] = Future()

            def call() -> None:
                try:
                    answer.set_result(caller.call(goal, limit + _GRACE, token, show, grace=_GRACE))
                except AgentError as error:
                    answer.set_exception(error)

            Thread(target=call, daemon=True).start()
            try:
                result = answer.result()
            except KeyboardInterrupt:
                token.cancel()
                result = answer.result(_GRACE)
        return require_success(result)


def whole(number: int) -> int:
    """Returns a number for a uint32 field of a goal. Raises an error if the number is out of range.

    Raises:
        AgentError: `INVALID_ARGUMENTS` if it is negative or too large.
    """
    if not 0 <= number <= _LARGEST:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Invalid number {number}: expected 0 to {_LARGEST}.")
    return number


def figures_of(result: Any) -> dict[str, float]:
    """Returns a map of names to metrics (in SI units) of a result."""
    return {one.name: round(one.value, 6) for one in result.figures}


def show_round(feedback: Any, as_json: bool) -> None:
    """Prints a finished episode of `train` or `evaluate`, as JSON or text."""
    line = {"episode": feedback.episode, "mean_reward": round(feedback.mean_reward, 4)}
    words = f"episode {feedback.episode:5}  mean reward {feedback.mean_reward:7.3f}"
    print(json.dumps(line) if as_json else words, flush=True)
