"""Executes a tool call as a recorded action, in the style that was learned from corrections."""

from __future__ import annotations

import json
import math
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.action_record import ActionRecord, ActJournal
from reachy_agent_ros.learning.correction.learner import PolicyCache
from reachy_agent_ros.learning.correction.skills import (
    APPROACH,
    DANCE,
    DISTANCE,
    EXPRESS_EMOTION,
    LOOK_AT_OBJECT,
    MAKE_GESTURE,
    USUAL,
    Skill,
    Values,
)
from reachy_agent_ros.tools.body import MoveLibrary
from reachy_agent_ros.tools.call import ToolRequest
from reachy_agent_ros.tools.execution_style import Direction, ExecutionStyle, Style

_EXPRESSIONS = {
    MoveLibrary.GESTURE: MAKE_GESTURE,
    MoveLibrary.EMOTION: EXPRESS_EMOTION,
    MoveLibrary.DANCE: DANCE,
}
"""Skills that choose the style of moves, by library."""

PERFORMED = (LOOK_AT_OBJECT, *_EXPRESSIONS.values(), APPROACH)
"""Skills that tools use."""

_KEPT = 60.0
"""Age at which a measured distance is discarded, because the person may have moved, s."""

_NEAREST, _FARTHEST = 0.2, 3.0
"""Range to which distances are clipped, m: corrections are linear in the distance and must not be extrapolated."""


@contextmanager
def performed(
    request: ToolRequest, journal: ActJournal, habits: PolicyCache, looked_at: GazeDistance
) -> Iterator[ExecutionStyle]:
    """Records a tool call as an action, and provides the learned style of the action. Implements `tools.call.Perform`.

    Args:
        request: The tool call.
        journal: Journal that receives an action for the call, and another one for each skill that chooses parameters.
        habits: Policies that choose the parameters.
        looked_at: Distance of the gaze target, kept between calls.
    """
    manner = _TaughtManner(request, journal, habits, looked_at)
    code = ErrorCode.TOOL_FAILED
    try:
        yield manner
        code = ErrorCode.NONE
    except AgentError as error:
        code = error.code
        raise
    finally:
        manner.end(code)


class GazeDistance:
    """Last known distance to the gaze target, valid for one minute. Thread-safe."""

    def __init__(self) -> None:
        self._known: tuple[float, Deadline] | None = None

    def note(self, distance: float | None) -> None:
        """Stores the distance (m) of the current gaze target; None if the distance is unknown."""
        self._known = None
        if distance is not None and math.isfinite(distance):
            self._known = min(max(distance, _NEAREST), _FARTHEST), Deadline(_KEPT)

    @property
    def distance(self) -> float:
        """Distance (m) to the gaze target; `USUAL` if the distance is unknown."""
        known = self._known
        return known[0] if known is not None and not known[1].passed else USUAL


class _TaughtManner(ExecutionStyle):
    """Style of one tool call, as learned from corrections."""

    def __init__(self, request: ToolRequest, journal: ActJournal, habits: PolicyCache, looked_at: GazeDistance) -> None:
        self._turn_id = request.turn_id
        self._journal = journal
        self._habits = habits
        self._looked_at = looked_at
        self._acts = [journal.begin(_act_of(request))]

    def aim(self, seen: Direction) -> Direction:
        """Corrects a gaze direction by the learned offset.

        The offset is the one learned for the nearest direction that the head can reach without turning the body.
        """
        pitch, yaw = LOOK_AT_OBJECT.parameters
        context = {
            "target_pitch": min(max(seen.pitch, pitch.low), pitch.high),
            "target_yaw": min(max(seen.yaw, yaw.low), yaw.high),
        }
        chosen = self._chosen(LOOK_AT_OBJECT, context)
        return seen.turned(chosen["yaw"] - context["target_yaw"], chosen["pitch"] - context["target_pitch"])

    def style(self, library: MoveLibrary) -> Style:
        """Returns the learned size and tempo of a gesture, an emotion or a dance."""
        chosen = self._chosen(_EXPRESSIONS[library], {DISTANCE: self._looked_at.distance})
        return Style(chosen["size"], chosen["tempo"])

    def lean(self) -> float:
        """Returns the learned forward lean (m)."""
        return self._chosen(APPROACH, {DISTANCE: self._looked_at.distance})["lean"]

    def looks_at(self, distance: float | None) -> None:
        """Stores the distance (m) of the gaze target for later calls."""
        self._looked_at.note(distance)

    def end(self, code: ErrorCode) -> None:
        """Reports the end of all actions of the tool call."""
        for act in self._acts:
            self._journal.end(act, code)

    def _chosen(self, skill: Skill, context: Values) -> Values:
        act = self._habits.decide(skill, context, self._turn_id)
        if act is None:
            return skill.untaught(context)
        self._acts.append(self._journal.begin(act))
        return act.action


def _act_of(request: ToolRequest) -> ActionRecord:
    """Creates an action record of the tool call, which contains the numeric arguments of the call."""
    arguments = json.loads(request.arguments_json or "{}")
    numbers = {
        name: float(value)
        for name, value in arguments.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
    }
    turn_id = request.turn_id if request.turn_id.int else None
    return ActionRecord(uuid.uuid4(), turn_id, request.name, {}, numbers, 1.0, "", time.time(), time.time())
