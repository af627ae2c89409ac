"""Evaluation of scenarios: plays scenarios in order, and lists differences from the expected behavior."""

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
"""Margin beyond the limits of all turns after which a scenario is aborted, s. The agent gives a slow model less."""

_NOT_HERE = (ErrorCode.SANDBOX_UNAVAILABLE, ErrorCode.MODEL_UNAVAILABLE)
"""Errors on a machine without a working sandbox for generated tools, or without the packages for training."""

SLACK = 0.5
"""Default tolerance of numeric arguments: half a degree, half a second."""

LOOKING = math.radians(5.0)
"""Angle from the optical axis within which an object counts as looked at, rad."""

REACHING = 10.0
"""Tolerance of the extent of a motion, degrees or mm, because motors lag."""

_CAUGHT = (ErrorCode.INVALID_ARGUMENTS.name, ErrorCode.APPROVAL_DENIED.name)

Schemas = Mapping[str, Mapping[str, Any]]
"""JSON Schemas of the tools' arguments, by tool."""


class ScenarioVerdict(Enum):
    """Verdict on a scenario."""

    RIGHT = "right"
    WRONG = "wrong"
    NOT_HERE = "not here"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Evaluated:
    """Result of a scenario.

    Attributes:
        scenario: The scenario.
        verdict: The verdict.
        differences: Differences from the expected behavior, or the reason why it was not played.
        seconds: Duration including the start of the simulation, s.
        model_calls: Number of model requests.
        tokens: Number of input and output tokens.
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
        scenarios: The scenarios.
        endpoint: Endpoint of the model; None for the scripted model.
        reflex_only: Whether to skip scenarios that need a model.
        json_protocol: Whether the scripted model writes JSON instead of calling tools.
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
        return "needs a model"
    if endpoint is not None and scenario.scripted:
        return "tests a failing server, not a real one"
    return ""


async def _evaluated(scenario: Scenario, endpoint: Endpoint | None, json_protocol: bool, schemas: Schemas) -> Evaluated:
    begin = time.monotonic()
    seconds = sum(turn.seconds for turn in scenario.turns) + PATIENCE
    try:
        async with asyncio.timeout(seconds):
            performance = await play(scenario, endpoint, json_protocol)
    except TimeoutError:
        return Evaluated(scenario, ScenarioVerdict.WRONG, [f"aborted after {seconds:g} s"], seconds)
    except Exception as error:  # noqa: BLE001 - any error makes the scenario wrong, and the others are still played
        if isinstance(error, AgentError) and error.code in _NOT_HERE:
            return Evaluated(scenario, ScenarioVerdict.NOT_HERE, [error.message.partition("\n")[0]])
        return Evaluated(scenario, ScenarioVerdict.WRONG, [f"unexpected error: {error!r}"], time.monotonic() - begin)
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
    """Compares a run with its scenario. Returns one sentence for each difference.

    Args:
        scenario: Expected behavior.
        performance: The run.
        schemas: Schemas with the defaults of arguments.
        scripted: Whether the scripted model answered, so that its requests are also checked.
    """
    several = len(scenario.turns) > 1
    found: list[str] = []
    for number, (turn, played) in enumerate(zip(scenario.turns, performance.turns, strict=True), 1):
        mark = f"turn {number}: " if several else ""
        found += [mark + each for each in _of_turn(turn, played, schemas, scripted)]
    if performance.unsaid:
        found.append(f"{performance.unsaid} answers of the scripted model were not used")
    return found + list(_of_end(scenario.end, performance))


def _of_turn(turn: ScenarioTurn, played: PlayedTurn, schemas: Schemas, scripted: bool) -> Iterator[str]:
    result = played.result
    if result is None:
        yield "the turn never ended"
        return
    yield from _of_calls(turn, played, schemas)
    yield from _of_reply(turn, result.reply)
    error = result.error.code.name if result.error else ""
    if error not in turn.errors if turn.errors else error:
        yield f"ended with {error or 'no error'} instead of {' or '.join(turn.errors) or 'none'}"
    if turn.agent and result.agent != turn.agent:
        yield f"{result.agent or 'no agent'} answered instead of {turn.agent}"
    if result.elapsed > turn.seconds:
        yield f"took {result.elapsed:.1f} s, maximum {turn.seconds:g} s"
    yield from _of_posture(turn, played)
    if scripted:
        asked = turn.told if played.model_calls else []  # the reflex may not have needed the model
        yield from (f"the model request lacks {words!r}" for words in asked if words not in played.told)
        if turn.model_calls is not None and played.model_calls != turn.model_calls:
            yield f"{played.model_calls} model requests instead of {turn.model_calls}"


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
    # An invalid call, or one that a person refused, may be rejected before it reaches a tool.
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
        yield "the reply is empty"
    shown = reply if len(reply) < 80 else reply[:77] + "..."
    yield from (f"{shown!r} lacks {each!r}" for each in turn.reply.contains if each.casefold() not in told)
    yield from (f"{shown!r} claims {each!r}" for each in turn.reply.lacks if each.casefold() in told)
    if len(reply) > turn.reply.at_most:
        yield f"the reply has {len(reply)} characters, maximum {turn.reply.at_most}"


def _of_end(end: End, performance: ScenarioRun) -> Iterator[str]:
    posture = performance.posture
    for name, wanted in end.posture.items():
        if name not in posture:
            yield f"unknown coordinate {name}: expected one of {', '.join(posture)}"
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
