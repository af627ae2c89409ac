"""Scenarios played one after the other, and what came of each."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.testing.scenario import Scenario
from reachy_agent_ros.testing.scenario_judgement import Schemas, differences
from reachy_agent_ros.testing.scenario_player import ScenarioRun, play
from reachy_agent_ros.tools.predefined import predefined_tools

PATIENCE = 150.0
"""s beyond what a scenario's turns may take, after which it is given up: more than the mind gives a slow model."""


_NOT_HERE = (ErrorCode.SANDBOX_UNAVAILABLE, ErrorCode.MODEL_UNAVAILABLE)
"""No box can be proven for tools that it writes, or nothing is installed that learns."""


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
