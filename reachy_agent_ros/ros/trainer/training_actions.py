"""Actions `train` and `evaluate`. Their goals run in separate processes, so that training does not block the node."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from reachy_agent_msgs.action import Evaluate, Train
from reachy_agent_msgs.msg import TrainingStatus

from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.action_records import named_numbers
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, seconds_of
from reachy_agent_ros.ros.rclpy_ext.goal_server import Goal, GoalServer
from reachy_agent_ros.ros.trainer.training_board import TrainingBoard, Undertaking
from reachy_agent_ros.supervision.child_process import ChildProcess

TRAINING_LIMIT, EVALUATION_LIMIT = 3600.0, 600.0
"""Default time limits for training and for evaluation, s."""

MODULE = "reachy_agent_ros.learning.imitation"

_LOOK_PERIOD = 0.1
"""Period at which cancellation is checked, s."""


class TrainingActions:
    """Action servers for training and evaluation. Only one goal runs at a time, because this is faster.

    Args:
        node: Node that serves the actions.
        directory: State directory.
        database: URL of the feedback database; empty for `feedback.db` in the directory.
        board: Publisher of the training status.
    """

    def __init__(self, node: AgentNode, directory: Path, database: str, board: TrainingBoard) -> None:
        self._node = node
        self._places = ["--directory", str(directory), "--database", database]
        self._board = board
        self._niceness = node.parameter("niceness")
        self._closing = threading.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="training")
        self._trainings = GoalServer(node, Train, names.TRAIN, self._begin_training)
        self._evaluations = GoalServer(node, Evaluate, names.EVALUATE, self._begin_evaluation)

    def close(self) -> None:
        """Kills the training process, and keeps its checkpoint."""
        self._closing.set()
        self._thread.shutdown()

    def _begin_training(self, goal: Goal) -> None:
        request = goal.request
        options = ["--algorithm", request.algorithm] if request.algorithm else []
        report = partial(_training_feedback, time.monotonic())
        self._begin(goal, _TRAINING, options, report)

    def _begin_evaluation(self, goal: Goal) -> None:
        version = goal.request.policy_version
        if version and not version.isdecimal():
            raise AgentError(ErrorCode.INVALID_GOAL, f"Invalid policy_version {version!r:.40}: expected a number.")
        options = ["--version", version] if version else []
        self._begin(goal, _EVALUATION, options, _evaluation_feedback)

    def _begin(self, goal: Goal, kind: _Kind, options: list[str], report: Callable[[_Round], Any]) -> None:
        if self._trainings.running + self._evaluations.running > 1:
            message = "Another training or evaluation is running. Wait for it or cancel it."
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message)
        request = goal.request
        common = ["--episodes", str(request.episodes), "--seed", str(request.seed)]
        arguments = [kind.command, *self._places, *common, *options, "--", request.skill]
        work = self._thread.submit(self._work, goal, kind, arguments, report)
        work.add_done_callback(lambda done: self._node.in_executor(done.result))  # a bug ends the node

    def _work(self, goal: Goal, kind: _Kind, arguments: list[str], report: Callable[[_Round], Any]) -> None:
        log = self._node.get_logger()
        limit = seconds_of(goal.request.time_allowance) or kind.limit
        doing = Undertaking(kind.state, goal.request.skill)
        with self._board.during(doing) as note:

            def told(one: _Round) -> None:
                note(replace(doing, episode=one.episode, episodes=one.of, mean_reward=one.mean_reward))
                goal.report(report(one))

            try:
                child = _TrainingChild(arguments, self._niceness, told, log.warning)
                done = child.result(goal.cancel, limit, self._closing)
            except AgentError as error:
                goal.end(kind.result(), error)
            else:
                goal.end(kind.fill(done))


@dataclass(frozen=True)
class _Kind:
    """Properties of an action: its command, state, time limit and result.

    Attributes:
        command: Command of the started module.
        state: Constant of `TrainingStatus` while the action is running.
        limit: Default time limit, s.
        result: Creates an empty result.
        fill: Creates the result from the last line of the process.
    """

    command: str
    state: int
    limit: float
    result: Callable[[], Any]
    fill: Callable[[Mapping[str, Any]], Any]


@dataclass(frozen=True)
class _Round:
    """Progress of a training or evaluation run.

    Attributes:
        episode: Number of finished episodes.
        of: Number of planned episodes.
        mean_reward: Mean reward, -1 to 1.
    """

    episode: int
    of: int
    mean_reward: float


class _TrainingChild:
    """Training process. The process ends if the thread that created this object ends.

    Args:
        arguments: Arguments of the module.
        niceness: Niceness of the process.
        on_round: Called with the progress, in a separate thread.
        log: Called with every other line, for example of a traceback.
    """

    def __init__(
        self, arguments: Sequence[str], niceness: int, on_round: Callable[[_Round], None], log: Callable[[str], object]
    ) -> None:
        self._on_round, self._log = on_round, log
        self._last: Mapping[str, Any] = {}
        self._ended = threading.Event()
        command = [sys.executable, "-m", MODULE, *arguments]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
        self._child = ChildProcess(command, environment, niceness, self._read, self._ended.set)

    def result(self, cancel: CancelToken, limit: float, closing: threading.Event) -> Mapping[str, Any]:
        """Waits until the process ends, and returns its result.

        Args:
            cancel: Token that ends the process between two rounds, or kills it if that takes more than 6 s.
            limit: Time after which the process is ended in the same way, s.
            closing: Event that kills the process at once.

        Raises:
            AgentError: `CANCELED`, `TIMEOUT`, an error that the process reports, or `INTERNAL` if it reports none.
        """
        deadline = Deadline(limit)
        while not (self._ended.wait(_LOOK_PERIOD) or cancel.cancelled or deadline.passed or closing.is_set()):
            pass
        late = deadline.passed and not self._ended.is_set()
        code = self._child.stop(closing)
        if late:
            message = f"Not finished after {limit:.0f} s. Repeat the request to continue from the last checkpoint."
            raise AgentError(ErrorCode.TIMEOUT, message)
        if "done" in self._last:
            done: Mapping[str, Any] = self._last["done"]
            return done
        if "error" in self._last:
            raise AgentError(ErrorCode(self._last["error"]["code"]), self._last["error"]["message"])
        if cancel.cancelled or closing.is_set():
            raise AgentError(ErrorCode.CANCELED, "Canceled. Repeat the request to continue from the last checkpoint.")
        message = f"The training process exited with code {code}. Repeat the request to continue from its checkpoint."
        raise AgentError(ErrorCode.INTERNAL, message)

    def _read(self, text: str) -> None:
        try:
            line = json.loads(text)
        except json.JSONDecodeError:
            self._log(text)
            return
        if not isinstance(line, dict):
            self._log(text)
        elif "episode" in line:
            self._on_round(_Round(line["episode"], line["of"], line["mean_reward"]))
        else:
            self._last = line


def _training_feedback(began: float, one: _Round) -> Train.Feedback:
    elapsed = duration_message(time.monotonic() - began)
    return Train.Feedback(episode=one.episode, mean_reward=one.mean_reward, elapsed=elapsed)


def _evaluation_feedback(one: _Round) -> Evaluate.Feedback:
    return Evaluate.Feedback(episode=one.episode, mean_reward=one.mean_reward)


def _trained(done: Mapping[str, Any]) -> Train.Result:
    return Train.Result(
        policy_version=str(done["version"]),
        mean_reward=done["mean_reward"],
        figures=named_numbers(done["figures"]),
        deployed=done["deployed"],
    )


def _evaluated(done: Mapping[str, Any]) -> Evaluate.Result:
    return Evaluate.Result(
        mean_reward=done["mean_reward"],
        success_rate=done["success_rate"],
        episodes=done["episodes"],
        figures=named_numbers(done["figures"]),
        report=done["report"],
    )


_TRAINING = _Kind("train", TrainingStatus.TRAINING, TRAINING_LIMIT, Train.Result, _trained)
_EVALUATION = _Kind("evaluate", TrainingStatus.EVALUATING, EVALUATION_LIMIT, Evaluate.Result, _evaluated)
