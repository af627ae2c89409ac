"""`ReachyCommander`, the Python interface for scripts that control a running robot."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import ContextVar, copy_context
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

from geometry_msgs.msg import Point, PointStamped
from reachy_agent_msgs import action
from reachy_agent_msgs.srv import CaptureImage, GetRobotState
from std_msgs.msg import Header
from std_srvs.srv import Trigger

from reachy_agent_ros.commander.link import GraphLink
from reachy_agent_ros.commander.results import Answer, Measured, Task
from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, transform_from_pose, uuid_from_message

P = ParamSpec("P")
T = TypeVar("T")

MOTION_LIMIT = 150.0
"""Timeout of a motion or utterance, s, in case its own limit fails."""

TURN_LIMIT = 4_300.0
"""Timeout of a call that a person may have to approve, s."""

ENDING_TIME = 2.0
"""Time for the robot to end an action that Ctrl-C has canceled, s."""

AT_ONCE = 8
"""Maximum number of tasks that run in parallel. Further tasks wait."""

_cancel: ContextVar[CancelToken | None] = ContextVar("cancel", default=None)
"""Cancel token of the task in whose thread a method runs."""


class ReachyCommander:
    """Context manager that controls a running robot.

    Every method waits until the robot has finished, and raises `AgentError` with an error code if it has failed.
    `begin` starts any method without waiting, and `run` awaits one in asyncio::

        with ReachyCommander() as reachy:
            reachy.move_head(yaw=0.4)
            dance = reachy.begin(reachy.dance, "groovy_sway_and_roll")
            reachy.say("Look at me!")
            dance.cancel()

    Units are SI, frames as in REP-103: m, rad, s; x forward, y to the left, z up. Positive yaw turns to the left,
    positive pitch looks down.

    Args:
        namespace: ROS namespace of the robot.
    """

    def __init__(self, namespace: str = names.NAMESPACE) -> None:
        self._client = GraphClient("commander", namespace)
        self._link = GraphLink(self._client)
        self._workers = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="task")
        self._lock = threading.Lock()
        self._running: dict[Future[Any], CancelToken] = {}

    def __enter__(self) -> ReachyCommander:
        self._client.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Cancels running tasks and leaves the graph."""
        self.cancel()
        self._workers.shutdown()
        self._client.__exit__(kind, error, trace)

    # Conversation

    def ask(self, text: str, session: str = "", *, speak: bool = False) -> Answer:
        """Sends a sentence to the agent and waits for the answer.

        Args:
            text: Sentence to send.
            session: Conversation to continue; empty for the default one.
            speak: Whether the robot speaks the reply.
        """
        goal = action.Converse.Goal(
            text=text, session_id=session, source=action.Converse.Goal.REMOTE, speak=speak, wait=True
        )
        result = self._act(names.AGENT, action.Converse, names.CONVERSE, goal, TURN_LIMIT)
        turn_id = str(uuid_from_message(result.turn_id))
        return Answer(result.reply, result.agent, tuple(result.tools_called), result.session_id, turn_id)

    def say(self, text: str, voice: str = "", *, interrupt: bool = False) -> str:
        """Speaks a text.

        Args:
            text: Text to speak.
            voice: Name of the voice; empty for the configured one.
            interrupt: Whether to interrupt current speech instead of waiting for its end.

        Returns:
            Text that was spoken.
        """
        goal = action.Say.Goal(text=text, voice=voice, interrupt=interrupt)
        return str(self._act(names.TTS, action.Say, names.SAY, goal, MOTION_LIMIT).spoken_text)

    # Motion

    def move_head(
        self,
        roll: float = 0.0,
        pitch: float = 0.0,
        yaw: float = 0.0,
        position: tuple[float, float, float] = (0.0, 0.0, 0.0),
        duration: float = 0.0,
    ) -> Measured:
        """Turns and shifts the head.

        Args:
            roll: Roll, rad; positive lowers the right side of the head.
            pitch: Pitch, rad; positive looks down.
            yaw: Yaw, rad; positive looks left. The body follows if necessary.
            position: Offset from neutral (forward, left, up), m.
            duration: Duration, s; 0 for the fastest gentle motion.
        """
        x, y, z = map(float, position)
        goal = action.MoveHead.Goal(roll=float(roll), pitch=float(pitch), yaw=float(yaw), x=x, y=y, z=z)
        goal.duration = duration_message(duration)
        return self._move(action.MoveHead, names.MOVE_HEAD, goal)

    def look_at(self, x: float, y: float, z: float, duration: float = 0.0) -> Measured:
        """Looks at a point in `base_link`.

        Args:
            x: Distance in front of the robot's foot, m.
            y: Distance to the left, m.
            z: Height, m.
            duration: Duration, s; 0 for the fastest gentle motion.
        """
        header, point = Header(frame_id=names.BASE_FRAME), Point(x=float(x), y=float(y), z=float(z))
        goal = action.LookAt.Goal(point=PointStamped(header=header, point=point), duration=duration_message(duration))
        return self._move(action.LookAt, names.LOOK_AT, goal)

    def set_antennas(self, right: float, left: float, duration: float = 0.0) -> Measured:
        """Moves each antenna to an angle (rad); NaN for the angle that it has.

        The duration is in s; 0 for the fastest gentle motion.
        """
        goal = action.SetAntennas.Goal(right=float(right), left=float(left), duration=duration_message(duration))
        return self._move(action.SetAntennas, names.SET_ANTENNAS, goal)

    def turn_body(self, yaw: float, duration: float = 0.0) -> Measured:
        """Turns the body and the head to a yaw (rad). The duration is in s; 0 for the fastest gentle motion."""
        goal = action.RotateBody.Goal(yaw=float(yaw), duration=duration_message(duration))
        return self._move(action.RotateBody, names.ROTATE_BODY, goal)

    def express(self, emotion: str, intensity: float = 1.0) -> Measured:
        """Plays an emotion from the vocabulary. The intensity is above 0 and at most 1."""
        goal = action.ExpressEmotion.Goal(emotion=emotion, intensity=float(intensity))
        return self._move(action.ExpressEmotion, names.EXPRESS_EMOTION, goal)

    def dance(self, name: str, repetitions: int = 1, intensity: float = 1.0) -> Measured:
        """Plays a dance from the vocabulary. The intensity is above 0 and at most 1."""
        goal = action.Dance.Goal(dance=name, repetitions=repetitions, intensity=float(intensity))
        return self._move(action.Dance, names.DANCE, goal)

    # Senses and tools

    def photo(self) -> bytes:
        """Returns a new image from the robot's camera, as JPEG."""
        request = CaptureImage.Request(view=CaptureImage.Request.EYE)
        return bytes(self._link.ask(names.CAMERA, CaptureImage, names.CAPTURE_IMAGE, request).image.data)

    def state(self) -> Measured:
        """Returns the current measured pose of the robot."""
        answer = self._link.ask(names.HARDWARE_BRIDGE, GetRobotState, names.GET_ROBOT_STATE, GetRobotState.Request())
        return _measured(answer.state)

    def tool(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Runs a tool from the catalog, subject to the agent's permissions and audit log.

        Args:
            name: Name of the tool as in `reachy-agent tools list`.
            arguments: JSON values, in the units of the tool's description.
        """
        goal = action.ExecuteTool.Goal(name=name, arguments_json=json.dumps(arguments), caller="commander")
        result = self._act(names.AGENT, action.ExecuteTool, names.CALL_TOOL, goal, TURN_LIMIT)
        found: dict[str, Any] = json.loads(result.result_json)
        return found

    # Stopping

    def hold(self) -> None:
        """Ends the motions, turns and tool calls of all clients, and holds the pose. Later motions are accepted."""
        self._link.ask(names.HARDWARE_BRIDGE, Trigger, names.HOLD, Trigger.Request())

    def stop(self) -> None:
        """Triggers the emergency stop: nothing moves until `reset`."""
        self._link.ask(names.HARDWARE_BRIDGE, Trigger, names.EMERGENCY_STOP, Trigger.Request())

    def reset(self) -> None:
        """Resets the emergency stop, so that the robot can move again."""
        self._link.ask(names.HARDWARE_BRIDGE, Trigger, names.RESET_EMERGENCY_STOP, Trigger.Request())

    # Concurrent tasks

    def begin(self, method: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> Task[T]:
        """Starts a method of the commander in the background, without waiting until the method ends.

        Args:
            method: Method of this commander, or any function that calls some of them.
            arguments: Positional arguments of the method.
            named: Keyword arguments of the method.
        """
        work, token = self._begun(lambda: method(*arguments, **named))
        return Task(work, token)

    async def run(self, method: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Runs a method of the commander in asyncio, and awaits its result. Canceling the await cancels the method.

        Args:
            method: Method as for `begin`.
            arguments: Positional arguments of the method.
            named: Keyword arguments of the method.
        """
        work, token = self._begun(lambda: method(*arguments, **named))
        try:
            return await asyncio.wrap_future(work)
        except asyncio.CancelledError:
            token.cancel()
            raise

    def cancel(self) -> None:
        """Cancels all running tasks without waiting until they have ended; see `wait`."""
        with self._lock:
            tokens = list(self._running.values())
        for token in tokens:
            token.cancel()

    def wait(self, timeout: float | None = None) -> bool:
        """Waits until all tasks have ended, successfully or not.

        Args:
            timeout: Timeout, s; None to wait indefinitely.

        Returns:
            True if all tasks have ended.
        """
        with self._lock:
            running = list(self._running)
        return not wait(running, timeout).not_done

    def _begun(self, call: Callable[[], T]) -> tuple[Future[T], CancelToken]:
        token = CancelToken()
        context = copy_context()
        context.run(_cancel.set, token)
        work = self._workers.submit(context.run, _unless, token, call)
        with self._lock:
            self._running[work] = token
        work.add_done_callback(self._forget)
        return work, token

    def _forget(self, work: Future[Any]) -> None:
        with self._lock:
            self._running.pop(work, None)

    def _act(self, node: str, kind: type, name: str, goal: Any, limit: float) -> Any:
        token = _cancel.get()
        if token is not None:
            return self._link.act(node, kind, name, goal, limit, token)
        # Runs as a task so that Ctrl-C, which ends the wait here, also ends the robot's action.
        work, token = self._begun(lambda: self._act(node, kind, name, goal, limit))
        try:
            return work.result()
        except KeyboardInterrupt:
            token.cancel()
            wait([work], ENDING_TIME)
            raise

    def _move(self, kind: type, name: str, goal: Any) -> Measured:
        return _measured(self._act(names.TOOL_SERVER, kind, name, goal, MOTION_LIMIT))


def _unless(token: CancelToken, call: Callable[[], T]) -> T:
    if token.cancelled:
        raise AgentError(ErrorCode.CANCELED, "The task was canceled before it began.")
    return call()


def _measured(message: Any) -> Measured:
    antennas = (message.antenna_right, message.antenna_left)
    clamped = tuple(getattr(message, "clamped", ()))
    return Measured(transform_from_pose(message.head_pose), message.body_yaw, antennas, clamped)
