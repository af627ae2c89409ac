"""Interactive prompt for sentences to the agent, which accepts new sentences while earlier turns are running.

ROS is imported where it is used, because the help of `reachy-agent` imports this module.
"""

from __future__ import annotations

import json
import sys
import threading
import uuid
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.agent.terminal_text import plain
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import AGENT, CONVERSE
from reachy_agent_ros.core.paths import state_directory

if TYPE_CHECKING:
    from reachy_agent_ros.ros.client.client import GraphClient

TIMEOUT = 120.0
"""Time limit of a turn, s, not counting the wait for earlier turns."""

CANCEL_GRACE = 10.0
"""Time for the agent to end a canceled turn, s. This takes a second or more while the agent loads its models."""

_STOPS = (ErrorCode.CANCELED.name, ErrorCode.EMERGENCY_STOPPED.name)
"""Errors of tools that end with their turn. The end of the turn is reported, so a second line would say it again."""

CUTTING_OFF = (ErrorCode.CANCELED, ErrorCode.PREEMPTED, ErrorCode.TIMEOUT)
"""Errors that end a turn during its reply, so that the reply does not state them."""

END_WORDS = ("quit", "exit", "bye", "/quit", "/exit")

_PROMPT = "> "

_CLEAR_LINE = "\r\x1b[K"
"""Printed to overwrite the prompt."""


def goal_of(text: str, session: str = "", speak: bool = True, timeout: float = TIMEOUT) -> Any:
    """Returns the `converse` goal of a typed sentence.

    Args:
        text: Sentence.
        session: Conversation to continue; empty for the default one.
        speak: Whether the robot speaks its reply.
        timeout: Time limit of the turn, s.
    """
    from reachy_agent_msgs.action import Converse

    from reachy_agent_ros.ros.rclpy_ext.convert import duration_message
    from reachy_agent_ros.ros.rclpy_ext.principal_messages import command_line

    return Converse.Goal(
        text=text,
        session_id=session,
        source=Converse.Goal.TYPED,
        speak=speak,
        wait=True,
        time_allowance=duration_message(timeout),
        asked_by=command_line(),
    )


def is_stated(error: AgentError, reply: str) -> bool:
    """Returns whether the reply of a failed turn already mentions the error."""
    return bool(reply) and error.code not in CUTTING_OFF


def step_line(feedback: Any) -> str:
    """Returns a line about a step of a turn that is not part of the reply; "" for a success or a stop of a tool."""
    from reachy_agent_msgs.action import Converse

    from reachy_agent_ros.agent.request_phrases import request

    kinds = Converse.Feedback
    if feedback.kind == kinds.TOOL_STARTED:
        return f"> {request(feedback.name, feedback.arguments_json)} ({plain(feedback.name)})"
    if feedback.kind == kinds.TOOL_ENDED:
        message = _failure(feedback.text)
        named = message.startswith(feedback.name)
        return f"! {'' if named else f'{plain(feedback.name)}: '}{message}" if message else ""
    if feedback.kind == kinds.HANDOFF:
        return f"@ {feedback.name}"
    return f"... {feedback.text}" if feedback.kind == kinds.WAITING else str(feedback.text)


def _failure(result: str) -> str:
    """Returns the error message in a tool's result, or "" for a success or a stop. See `ToolOutcome.for_model`."""
    with suppress(ValueError, RecursionError):
        told = json.loads(result)
        if isinstance(told, dict) and "error" in told and told["error"] not in _STOPS:
            return plain(str(told.get("message", told["error"])))
    return ""


class SentencePrompt:
    """Interactive prompt that sends each line to the agent immediately, as a separate turn in its own thread.

    The agent decides which sentences wait and which stop the robot, so none is held back here: a stop that waited for
    the running turn would come too late.

    Args:
        client: Client that has joined the graph.

    Attributes:
        session: Conversation to continue; empty for the default one.
        speak: Whether the robot speaks its replies.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: the agent is not running.
    """

    def __init__(self, client: GraphClient) -> None:
        from reachy_agent_msgs.action import Converse

        from reachy_agent_ros.ros.client.emergency_stop import Hold
        from reachy_agent_ros.ros.client.policy_updates import PolicyUpdates
        from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller

        self.session = ""
        self.speak = True
        self._hold = Hold(client.node)
        self._stopped = False
        self._turns = ActionCaller(client.node, Converse, CONVERSE, client.watch(AGENT))
        self._updates = PolicyUpdates(client)
        self._lock = threading.Lock()
        self._running: dict[threading.Thread, CancelToken] = {}
        self._reading = False

    def run(self) -> None:
        """Reads sentences until one of `END_WORDS` or the end of input, then cancels the running turns.

        Ctrl-C stops the robot and cancels the running turns. A second Ctrl-C without a sentence in between ends the
        prompt.
        """
        try:
            with suppress(KeyboardInterrupt):  # a second Ctrl-C before the stop was confirmed
                while self._next():
                    pass
        finally:
            for thread in self._cancel():
                thread.join()

    def _next(self) -> bool:
        """Handles the next line or Ctrl-C. Returns whether the prompt continues."""
        try:
            line = self._line()
            if line:
                self._stopped = False
                self.take(line)
        except KeyboardInterrupt:
            print()
            return self._stop()
        return line is not None

    @property
    def busy(self) -> bool:
        """Whether a turn is running."""
        return bool(self._running)

    def take(self, line: str) -> None:
        """Sends a sentence without waiting for the reply."""
        token = CancelToken()
        thread = threading.Thread(target=self._converse, args=(line, token), name="turn")
        with self._lock:
            self._running[thread] = token
        thread.start()

    def _line(self) -> str | None:
        """Reads the next line. Returns None at the end of the input or for one of `END_WORDS`."""
        import readline  # noqa: F401 - adds line editing to `input`

        self._reading = True
        try:
            line = input(_PROMPT).strip()
        except EOFError:
            print()
            return None
        finally:
            self._reading = False
        return None if line.lower() in END_WORDS else line

    def _stop(self) -> bool:
        """Stops the robot and cancels the running turns. Returns False if nothing was typed since the last stop."""
        from reachy_agent_ros.agent.permissions.stop_audit import StopAudit
        from reachy_agent_ros.ros.rclpy_ext.principal_messages import command_line

        if self._stopped:
            return False
        self._stopped = True
        try:
            self._hold.call()
            told = "The robot is stopped."
        except AgentError as error:
            told = f"The robot did not confirm the stop: {error.message}"
        self._cancel()
        with closing(StopAudit(state_directory())) as audit:
            audit.note(command_line().name, "Ctrl-C in reachy-agent chat")
        print(f"{told} Press Ctrl-C again to leave.")
        return True

    def _converse(self, sentence: str, token: CancelToken) -> None:
        from reachy_agent_ros.agent.conversation.turn import QUEUE_TIME
        from reachy_agent_ros.ros.rclpy_ext.calls import error_of

        try:
            goal, turn_id = goal_of(sentence, self.session, self.speak), uuid.uuid4()
            result = self._turns.call(goal, TIMEOUT + QUEUE_TIME, token, self._step, turn_id, CANCEL_GRACE)
            error = error_of(result)
            if error is not None and not is_stated(error, result.reply):
                raise error
            self._show(result.reply)
            if error is None and not result.tools_called:  # a command is not feedback
                self._show(self._updates.lesson(turn_id))
        except AgentError as error:
            self._show(f"{sentence}: {error.message}")
        finally:
            with self._lock:
                del self._running[threading.current_thread()]

    def _step(self, feedback: Any) -> None:
        from reachy_agent_msgs.action import Converse

        if feedback.kind != Converse.Feedback.TOKEN:  # replies are shown complete, because several turns may run
            line = step_line(feedback)
            if line:
                self._show(line)

    def _cancel(self) -> list[threading.Thread]:
        """Cancels the running turns. Returns their threads."""
        with self._lock:
            running = dict(self._running)
        for token in running.values():
            token.cancel()
        return list(running)

    def _show(self, line: str) -> None:
        """Prints a line, then restores the prompt and the partially typed text."""
        import readline

        if not line:
            return
        with self._lock:
            again = f"{_PROMPT}{readline.get_line_buffer()}" if self._reading else ""
            sys.stdout.write(f"{_CLEAR_LINE}{line}\n{again}")
            sys.stdout.flush()
