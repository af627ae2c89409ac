"""Evaluation of scenarios: plays them one after the other, and finds what differed from what must happen."""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.testing.scenario import End, ExpectedCall, Scenario, ScenarioTurn
from reachy_agent_ros.testing.scenario_player import PlayedCall, PlayedTurn, ScenarioRun, play
from reachy_agent_ros.tools.predefined import predefined_tools

PATIENCE = 150.0
"""s beyond what a scenario's turns may take, after which it is given up: more than the mind gives a slow model."""

_NOT_HERE = (ErrorCode.SANDBOX_UNAVAILABLE, ErrorCode.MODEL_UNAVAILABLE)
"""No box can be proven for tools that it writes, or nothing is installed that learns."""

SLACK = 0.5
"""How far a number of an argument may be off where the scenario says nothing: half a degree, half a second."""

LOOKING = math.radians(5.0)
"""Angle off the eye's axis within which a thing is being looked at."""

REACHING = 10.0
"""Degrees or mm by which what a motion reaches may be off: motors lag."""

_CAUGHT = (ErrorCode.INVALID_ARGUMENTS.name, ErrorCode.APPROVAL_DENIED.name)

Schemas = Mapping[str, Mapping[str, Any]]
"""JSON Schemas of the tools' arguments, by tool."""


class ScenarioVerdict(Enum):
    """What came of a scenario."""

    RIGHT = "right"
    WRONG = "wrong"
    NOT_HERE = "not here"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Evaluated:
    """One scenario.

    Attributes:
        scenario: Which.
        verdict: What came of it.
        differences: What was not as it must be, or why it was not played.
        seconds: All of it took, the simulation's start too.
        model_calls: How often a model was asked.
        tokens: Read and written by it.
    """

    scenario: Scenario
    verdict: ScenarioVerdict
    differences: list[str] = field(default_factory=list)
    seconds: float = 0.0
    model_calls: int = 0
    tokens: int = 0


async def evaluate(
    scenarios: Sequence[Scenario],
    endpoint: Endpoint | None = None,
    reflex_only: bool = False,
    json_protocol: bool = False,
) -> AsyncIterator[Evaluated]:
    """Plays scenarios in order.

    Args:
        scenarios: Which.
        endpoint: Whose model answers; None for the scripted one.
        reflex_only: Whether those that need a model are left out.
        json_protocol: Whether the scripted model cannot call tools and writes JSON instead.
    """
    schemas = {
        tool.specification.name: tool.specification.schema for tool in predefined_tools(Path(), emotions(), dances())
    }
    for scenario in scenarios:
        reason = _reason_to_skip(scenario, endpoint, reflex_only)
        if reason:
            yield Evaluated(scenario, ScenarioVerdict.SKIPPED, [reason])
        else:
            yield await _evaluated(scenario, endpoint, json_protocol, schemas)


def _reason_to_skip(scenario: Scenario, endpoint: Endpoint | None, reflex_only: bool) -> str:
    if reflex_only and scenario.needs_model:
        return "it needs a model"
    if endpoint is not None and scenario.scripted:
        return "it is about a server that fails, not about a real one"
    return ""


async def _evaluated(scenario: Scenario, endpoint: Endpoint | None, json_protocol: bool, schemas: Schemas) -> Evaluated:
    begin = time.monotonic()
    seconds = sum(turn.seconds for turn in scenario.turns) + PATIENCE
    try:
        async with asyncio.timeout(seconds):
            performance = await play(scenario, endpoint, json_protocol)
    except TimeoutError:
        return Evaluated(scenario, ScenarioVerdict.WRONG, [f"it was given up after {seconds:g} s"], seconds)
    except Exception as error:  # noqa: BLE001 - what breaks the mind is wrong, and the others are still to be played
        if isinstance(error, AgentError) and error.code in _NOT_HERE:
            return Evaluated(scenario, ScenarioVerdict.NOT_HERE, [error.message.partition("\n")[0]])
        return Evaluated(scenario, ScenarioVerdict.WRONG, [f"it broke: {error!r}"], time.monotonic() - begin)
    found = differences(scenario, performance, schemas, scripted=endpoint is None)
    return Evaluated(
        scenario,
        ScenarioVerdict.WRONG if found else ScenarioVerdict.RIGHT,
        found,
        time.monotonic() - begin,
        sum(turn.model_calls for turn in performance.turns),
        _tokens(performance),
    )


def _tokens(performance: ScenarioRun) -> int:
    results = [turn.result for turn in performance.turns if turn.result]
    return sum(result.input_tokens + result.output_tokens for result in results)


def differences(scenario: Scenario, performance: ScenarioRun, schemas: Schemas, scripted: bool) -> list[str]:
    """Everything that differed, in words; none if all was right.

    Args:
        scenario: What must happen.
        performance: What happened.
        schemas: For the defaults of arguments.
        scripted: Whether the scripted model answered: what it was asked is checked too.
    """
    several = len(scenario.turns) > 1
    found: list[str] = []
    for number, (turn, played) in enumerate(zip(scenario.turns, performance.turns, strict=True), 1):
        mark = f"turn {number}: " if several else ""
        found += [mark + each for each in _of_turn(turn, played, schemas, scripted)]
    if performance.unsaid:
        found.append(f"{performance.unsaid} answers of the model were never asked for")
    return found + list(_of_end(scenario.end, performance))


def _of_turn(turn: ScenarioTurn, played: PlayedTurn, schemas: Schemas, scripted: bool) -> Iterator[str]:
    result = played.result
    if result is None:
        yield "it never ended"
        return
    yield from _of_calls(turn, played, schemas)
    yield from _of_reply(turn, result.reply)
    error = result.error.code.name if result.error else ""
    if error not in turn.errors if turn.errors else error:
        yield f"it ended with {error or 'no error'} instead of {' or '.join(turn.errors) or 'none'}"
    if turn.agent and result.agent != turn.agent:
        yield f"{result.agent or 'nobody'} answered instead of {turn.agent}"
    if result.elapsed > turn.seconds:
        yield f"it took {result.elapsed:.1f} s of {turn.seconds:g} s"
    yield from _of_posture(turn, played)
    if scripted:
        asked = turn.told if played.model_calls else []  # the reflex may have done without it
        yield from (f"the model was not told {words!r}" for words in asked if words not in played.told)
        if turn.model_calls is not None and played.model_calls != turn.model_calls:
            yield f"a model was asked {played.model_calls} times instead of {turn.model_calls}"


def _of_posture(turn: ScenarioTurn, played: PlayedTurn) -> Iterator[str]:
    off = math.degrees(played.gaze_error)
    if turn.gaze is not None and not turn.gaze.at_least <= off <= turn.gaze.at_most:
        wanted = f"{turn.gaze.at_least:g} to {turn.gaze.at_most:g}"
        yield f"the {turn.gaze.thing} is {off:.1f} deg from where it looks instead of {wanted}"
    for name, wanted_deg in turn.reaches.items():
        reached = played.furthest.get(name, 0.0)
        if abs(reached - wanted_deg) > REACHING:
            yield f"{name} reached {reached:g} instead of {wanted_deg:g}"


def _of_calls(turn: ScenarioTurn, played: PlayedTurn, schemas: Schemas) -> Iterator[str]:
    called = [call.tool for call in played.calls]
    if turn.most_tools is not None:
        if len(called) > turn.most_tools:
            yield f"{len(called)} calls instead of at most {turn.most_tools}"
        return
    # A call that is wrong in itself, or that a person refused, may be caught before it becomes one.
    caught_before = [call for call in turn.tools if call.fails not in _CAUGHT]
    for wanted in (turn.tools, caught_before):
        if called == [call.tool for call in wanted]:
            for expected, call in zip(wanted, played.calls, strict=True):
                yield from (f"{call.tool}: {each}" for each in _of_call(expected, call, schemas.get(call.tool, {})))
            return
    expected_tools = ", ".join(call.tool for call in turn.tools)
    yield f"called {', '.join(called) or 'nothing'} instead of {expected_tools or 'nothing'}"


def _of_call(expected: ExpectedCall, call: PlayedCall, schema: Mapping[str, Any]) -> Iterator[str]:
    error = call.error.code.name if call.error else None
    if error != expected.fails:
        yield f"{error or 'succeeded'} instead of {expected.fails or 'success'}"
    if expected.arguments is None:
        return
    given = json.loads(call.arguments_json or "{}")
    defaults = {name: about["default"] for name, about in schema.get("properties", {}).items() if "default" in about}
    wanted, made = {**defaults, **expected.arguments}, {**defaults, **given}
    for name in sorted(wanted.keys() | made.keys()):
        if not _same(wanted.get(name), made.get(name), expected.within.get(name, SLACK)):
            yield f"{name} {made.get(name)!r} instead of {wanted.get(name)!r}"


def _same(wanted: Any, made: Any, within: float) -> bool:
    if _is_number(wanted) and _is_number(made):
        return bool(abs(wanted - made) <= within)
    if isinstance(wanted, str) and isinstance(made, str):
        return wanted.casefold() == made.casefold()
    return bool(wanted == made)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _of_reply(turn: ScenarioTurn, reply: str) -> Iterator[str]:
    told = reply.casefold()
    if not told.strip() and not turn.errors:
        yield "nothing was answered"
    shown = reply if len(reply) < 80 else reply[:77] + "..."
    yield from (f"{shown!r} lacks {each!r}" for each in turn.reply.contains if each.casefold() not in told)
    yield from (f"{shown!r} claims {each!r}" for each in turn.reply.lacks if each.casefold() in told)
    if len(reply) > turn.reply.at_most:
        yield f"{len(reply)} characters were answered, at most {turn.reply.at_most} may be"


def _of_end(end: End, performance: ScenarioRun) -> Iterator[str]:
    posture = performance.posture
    for name, wanted in end.posture.items():
        if name not in posture:
            yield f"there is no {name} in a posture, but: {', '.join(posture)}"
        elif abs(posture[name] - wanted) > end.within:
            yield f"{name} ended at {posture[name]:g} instead of {wanted:g}"
    if end.looking_at and not performance.gaze_error <= LOOKING:
        yield f"the {end.looking_at} is {math.degrees(performance.gaze_error):.0f} deg from where it looks"
    if end.spoken is not None and performance.spoken != end.spoken:
        yield f"said {performance.spoken} instead of {end.spoken}"
    if end.registered is not None and performance.registered != end.registered:
        yield f"{performance.registered or 'no tool'} was registered instead of {end.registered or 'none'}"
    if performance.ways < end.ways:
        yield f"gestures were made in {performance.ways} ways instead of at least {end.ways}"
    if performance.unsafe:
        yield f"{performance.unsafe} commands that passed the gate were outside the envelope, or jumped"
