"""The process that trains or evaluates, as who waits for it sees it."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.supervision.child_process import ChildProcess

MODULE = "reachy_agent_ros.learning.imitation"

_LOOK_PERIOD = 0.1
"""s between two looks at whether it shall go on."""


@dataclass(frozen=True)
class Round:
    """How far it is.

    Attributes:
        episode: Just finished, from 0.
        of: Planned.
        mean_reward: -1..1.
    """

    episode: int
    of: int
    mean_reward: float


class TrainingChild:
    """Starts it; it dies with the thread that made this.

    Args:
        arguments: Of the module.
        niceness: Of its scheduling.
        on_round: Takes every round, in a thread of its own.
        log: Takes every line that is none of its own, a traceback for example.
    """

    def __init__(
        self, arguments: Sequence[str], niceness: int, on_round: Callable[[Round], None], log: Callable[[str], object]
    ) -> None:
        self._on_round, self._log = on_round, log
        self._last: Mapping[str, Any] = {}
        self._ended = threading.Event()
        command = [sys.executable, "-m", MODULE, *arguments]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
        self._child = ChildProcess(command, environment, niceness, self._read, self._ended.set)

    def result(self, cancel: CancelToken, limit: float, closing: threading.Event) -> Mapping[str, Any]:
        """Waits for its end.

        Args:
            cancel: Ends it between two rounds.
            limit: s after which it is ended likewise.
            closing: Kills it at once.

        Raises:
            AgentError: `CANCELED`, `TIMEOUT`, what it says itself, or `INTERNAL` where it died without a word.
        """
        deadline = Deadline(limit)
        while not (self._ended.wait(_LOOK_PERIOD) or cancel.cancelled or deadline.passed or closing.is_set()):
            pass
        late = deadline.passed and not self._ended.is_set()
        code = self._child.stop(closing)
        if late:
            message = f"It took longer than {limit:.0f} s; the same request again goes on from the last checkpoint."
            raise AgentError(ErrorCode.TIMEOUT, message)
        if "done" in self._last:
            done: Mapping[str, Any] = self._last["done"]
            return done
        if "error" in self._last:
            raise AgentError(ErrorCode(self._last["error"]["code"]), self._last["error"]["message"])
        if cancel.cancelled or closing.is_set():
            raise AgentError(ErrorCode.CANCELED, "Cancelled; the same request again goes on from the last checkpoint.")
        message = f"The training process ended with code {code}; the same request again goes on from its checkpoint."
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
            self._on_round(Round(line["episode"], line["of"], line["mean_reward"]))
        else:
            self._last = line
