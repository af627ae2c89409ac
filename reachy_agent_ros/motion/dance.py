"""The dances of Pollen Robotics' `reachy_mini_dances_library`, without the SDK that its front door asks for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.motion.recorded_move import RecordedMove
from reachy_agent_ros.motion.rehearsal import rehearsed

BEAT = 60.0 / 114.0
"""Length of a beat, s: the library is choreographed for 114 a minute."""

FADE = 0.3
"""Time, s, in which a dance grows from the neutral posture and falls back to it: they begin and end in mid-swing."""

_LIBRARY = "reachy_mini_dances_library"
_ALIAS = "_reachy_agent_ros_dances"


def dances() -> tuple[str, ...]:
    """Names of all dances, in alphabetical order.

    Raises:
        AgentError: `UNKNOWN_MOVE` where the library is not installed.
    """
    return tuple(sorted(_collection()))


@cache
def dance(name: str) -> RecordedMove:
    """The dance of a name, `rehearsed`: so that the safety gate changes nothing about it.

    Raises:
        AgentError: `UNKNOWN_MOVE`, listing the names there are.
    """
    return rehearsed(choreography(name), _entry(name)[2]["description"])


def choreography(name: str) -> Choreography:
    """The same dance as it was written.

    Raises:
        AgentError: As `dance`.
    """
    step, arguments, about = _entry(name)
    return Choreography(step, arguments, about["default_duration_beats"])


class Choreography:
    """A dance as its choreographer wrote it, as offsets from the neutral posture.

    Args:
        step: The library's function of the time in beats.
        arguments: Its other arguments.
        beats: Length.
    """

    def __init__(self, step: Callable[..., Any], arguments: Mapping[str, Any], beats: float) -> None:
        self.duration = beats * BEAT
        self._step = step
        self._arguments = arguments

    def at(self, time: float) -> BodyPose:
        """The posture at a time, s."""
        moment = min(max(time, 0.0), self.duration)
        edge = min(1.0, moment / FADE, (self.duration - moment) / FADE)
        size = edge * edge * (3.0 - 2.0 * edge)
        offsets = self._step(moment / BEAT, **self._arguments)
        roll, pitch, yaw = size * np.asarray(offsets.orientation_offset)
        x, y, z = size * np.asarray(offsets.position_offset)
        right, left = size * np.asarray(offsets.antennas_offset)
        return BodyPose(head_transform(roll, pitch, yaw, x, y, z), float(right), float(left))


_Entry = tuple[Callable[..., Any], Mapping[str, Any], Mapping[str, Any]]


def _entry(name: str) -> _Entry:
    if name not in _collection():
        raise AgentError(ErrorCode.UNKNOWN_MOVE, f"There is no dance {name!r}. There are: {', '.join(dances())}.")
    return _collection()[name]


@cache
def _collection() -> Mapping[str, _Entry]:
    spec = find_spec(_LIBRARY)
    if spec is None or spec.submodule_search_locations is None:
        raise AgentError(ErrorCode.UNKNOWN_MOVE, f"{_LIBRARY} is not installed: run scripts/setup.")
    # The package's own __init__ imports reachy_mini and with it GStreamer, which no dance needs. An empty package of
    # another name over the same folder lets its modules find one another without it.
    package = ModuleType(_ALIAS)
    package.__path__ = list(spec.submodule_search_locations)
    sys.modules[_ALIAS] = package
    moves: Mapping[str, _Entry]
    moves = import_module(f"{_ALIAS}.collection.dance").AVAILABLE_MOVES
    return moves
