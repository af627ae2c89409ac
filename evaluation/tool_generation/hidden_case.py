"""Hidden test cases for tools that a model writes. The model does not receive them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.simulation.mujoco_body import MujocoBody
from reachy_agent_ros.tool_generation.broker.fetcher import Fetcher
from reachy_agent_ros.tool_generation.sandbox.sandbox import Sandbox
from reachy_agent_ros.tool_generation.validation.program import Program
from reachy_agent_ros.tool_generation.verification.case import Case
from reachy_agent_ros.tool_generation.verification.dry_run import DryRun
from reachy_agent_ros.tools.body import Motion, MotionResult, Photo, PoseMotion
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.predefined.posture import posture_in_degrees

NEAR = 2.0  # degrees
_EXACT = 1e-3  # relative tolerance of a number, because people round


class HiddenCase(BaseModel):
    """Hidden test case. Expectations that are None are not checked.

    Attributes:
        given: Values of the parameters, in the order in which the request names them.
        finds: Value that must occur somewhere in the result.
        refuses: Whether the tool must raise an exception.
        says: Words that must be spoken, in this order.
        photos: Number of photos that must be taken.
        lasts: Minimum duration, s.
        reaches: Postures that must be reached, in this order, degrees.
    """

    model_config = ConfigDict(extra="forbid")

    given: list[Any]
    finds: Any = None
    refuses: bool = False
    says: list[str] = Field(default_factory=list)
    photos: int | None = None
    lasts: float = 0.0
    reaches: list[dict[str, float]] = Field(default_factory=list)


class HiddenCases:
    """Runner for hidden cases, which executes tools in sandboxes with a simulated robot.

    Args:
        sandbox: Sandbox in which tools run.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self._twin = _WatchedTwin()
        self._rehearsal = DryRun(sandbox, self._twin, Fetcher())

    def fault(self, program: Program, case: HiddenCase) -> str:
        """Returns the reason why a tool fails a case, or an empty text if it passes."""
        named = [one.name for one in program.parameters]
        needed = sum(one.required for one in program.parameters)
        if not needed <= len(case.given) <= len(named):
            return f"it takes {', '.join(named) or 'nothing'}"
        arguments = dict(zip(named, case.given, strict=False))
        played = self._rehearsal.run(
            program, Case(arguments, raises="Exception" if case.refuses else None), CancelToken()
        )
        if not played.ok or case.refuses:
            return played.reason
        return next(filter(None, (*played.violations, *self._faults(case, played.result, played.took))), "")

    def close(self) -> None:
        """Closes the simulated robot."""
        self._twin.close()

    def _faults(self, case: HiddenCase, result: Any, took: float) -> Iterator[str]:
        twin = self._twin
        if case.finds is not None and not any(_same(case.finds, one) for one in _within(result)):
            yield f"{case.finds!r} is not in {json.dumps(result)[:120]}"
        if not _in_order(case.says, " ".join(twin.spoken)):
            yield f"it says {twin.spoken}"
        if case.photos is not None and twin.photos != case.photos:
            yield f"it takes {twin.photos} photos"
        if took < case.lasts:
            yield f"it lasts {took:.1f} s"
        twin.remember()  # the final posture of a stream of targets
        if not comes_to(case.reaches, twin.postures):
            yield f"it comes to {twin.postures[:4]}"


def comes_to(wanted: Sequence[dict[str, float]], postures: Sequence[dict[str, float]]) -> bool:
    """Returns whether the robot took the expected postures in order. Other postures between them are allowed."""
    left = iter(postures)
    return all(any(_is_near(one, posture) for posture in left) for one in wanted)


class _WatchedTwin(MujocoBody):
    """Simulated robot that records the final postures of its motions and the number of photos.

    The recorded postures are those that the controller commands at the end of a motion. The body lags slightly behind;
    an earlier trial has already checked that it follows.
    """

    def __init__(self) -> None:
        super().__init__()
        self.postures: list[dict[str, float]] = []
        self.photos = 0

    def reset(self) -> None:
        super().reset()
        self.postures, self.photos = [], 0

    def move(self, motion: Motion, context: ToolContext) -> MotionResult:
        result = super().move(motion, context)
        self.remember()
        return result

    def stream(self, motion: PoseMotion) -> None:
        self.remember()
        super().stream(motion)

    def photograph(self, context: ToolContext) -> Photo:
        self.photos += 1
        return super().photograph(context)

    def remember(self) -> None:
        posture = posture_in_degrees(self._controller.posture)
        self.postures.append({**posture.pop("head"), **posture})


def _is_near(wanted: dict[str, float], posture: dict[str, float]) -> bool:
    return all(abs(posture[name] - value) <= NEAR for name, value in wanted.items())


def _in_order(words: Sequence[str], text: str) -> bool:
    place, text = 0, text.casefold()
    for word in words:
        found = text.find(word.casefold(), place)
        if found < 0:
            return False
        place = found + len(word)
    return True


def _within(value: Any) -> Iterator[Any]:
    """Yields a value and all values that are contained in it."""
    yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for one in inner:
        yield from _within(one)


def _same(wanted: Any, got: Any) -> bool:
    if isinstance(wanted, bool) or isinstance(got, bool):
        return wanted is got
    if isinstance(wanted, int | float) and isinstance(got, int | float):
        return math.isclose(wanted, got, rel_tol=_EXACT, abs_tol=_EXACT)
    if isinstance(wanted, str) and isinstance(got, str):
        return wanted.casefold() == got.strip().casefold()
    return bool(wanted == got)
