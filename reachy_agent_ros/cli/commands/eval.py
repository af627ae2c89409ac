"""Runs scenarios with the real agent and tools on a simulated robot, and reports which passed."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import attributes, show
from reachy_agent_ros.core.errors import AgentError, ErrorCode

if TYPE_CHECKING:
    from reachy_agent_ros.testing.evaluation import Evaluated
    from reachy_agent_ros.testing.scenario import Scenario

GROUP = Group.DEVELOPERS

HELP = "run scenarios with the agent and a simulated robot, without the graph, and report which passed"

EXAMPLES = (
    "reachy-agent eval --reflex-only",
    "reachy-agent eval --endpoint http://127.0.0.1:11434/v1 --model qwen3:8b",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the model, the scenarios, and the output format."""
    parser.add_argument("--endpoint", metavar="URL", help="base URL of a model server (default: a scripted model)")
    parser.add_argument("--model", default="", metavar="NAME", help="name of the model at the endpoint")
    parser.add_argument(
        "--scenario", default="*", metavar="PATTERN", help="only scenarios with a matching name, such as *left*"
    )
    parser.add_argument(
        "--file", type=Path, action="append", metavar="F", help="your own scenario file or folder; may be repeated"
    )
    parser.add_argument("--reflex-only", action="store_true", help="skip scenarios that need a model")
    parser.add_argument("--json-protocol", action="store_true", help="let the scripted model call as JSON text")
    parser.add_argument("--strict", action="store_true", help="exit with 1 if a scenario fails")
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Runs the selected scenarios and prints the result of each.

    Returns:
        2 if no scenario matches, 1 if `--strict` is given and a scenario fails, otherwise 0.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: a scenario file is invalid, or only one of endpoint and model is given.
    """
    from reachy_agent_ros.testing.evaluation import ScenarioVerdict
    from reachy_agent_ros.testing.scenario_file import load_scenarios, scenario_folder

    scenarios = load_scenarios(arguments.file or [scenario_folder()])
    chosen = [each for each in scenarios if fnmatch(each.name.casefold(), arguments.scenario.casefold())]
    if not chosen:
        print(f"No scenario matches {arguments.scenario!r}.", file=sys.stderr)
        return 2
    verdicts = asyncio.run(_play(chosen, _endpoint(arguments), arguments))
    return int(arguments.strict and verdicts[ScenarioVerdict.WRONG.value] > 0)


def _endpoint(arguments: argparse.Namespace) -> Endpoint | None:
    if bool(arguments.endpoint) != bool(arguments.model):
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "Pass both --endpoint and --model, or neither.")
    return Endpoint(arguments.endpoint, arguments.model) if arguments.endpoint else None


async def _play(scenarios: list[Scenario], endpoint: Endpoint | None, arguments: argparse.Namespace) -> Counter[str]:
    """Runs the scenarios and prints each result. Returns the number of scenarios per verdict."""
    from reachy_agent_ros.testing.evaluation import evaluate

    verdicts: Counter[str] = Counter()
    async for one in evaluate(scenarios, endpoint, arguments.reflex_only, arguments.json_protocol):
        verdicts[one.verdict.value] += 1
        show(_line(one), _words(one), arguments.json)
    if not arguments.json:
        print(f"\n{sum(verdicts.values())} scenarios: {', '.join(f'{n} {what}' for what, n in verdicts.items())}")
    return verdicts


def _line(one: Evaluated) -> dict[str, Any]:
    return {
        **attributes(one, "differences", "model_calls", "tokens"),
        "scenario": one.scenario.name,
        "benchmark": one.scenario.benchmark,
        "verdict": one.verdict.value,
        "seconds": round(one.seconds, 2),
    }


def _words(one: Evaluated) -> str:
    task = f"[{one.scenario.benchmark}] " if one.scenario.benchmark else ""
    figures = f"{one.seconds:5.1f} s {one.model_calls:3} calls {one.tokens:6} tokens"
    told = "".join(f"\n{'':9}- {each}" for each in one.differences)
    return f"{one.verdict.value:8} {task + one.scenario.name:76} {figures}{told}"
