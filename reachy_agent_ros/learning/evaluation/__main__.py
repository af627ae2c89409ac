"""Evaluates policies and writes a report.

Usage: `python -m reachy_agent_ros.learning.evaluation nod@3 --out FOLDER`.

With `--json` it prints JSON lines: `{"episode", "of", "mean_reward"}` for progress, and at the end `{"report",
"episodes", "success_rate", "mean_reward", "figures"}`, or `{"error_code", "error_msg"}` and exit code 2.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.learning.evaluation.arguments import add_arguments
from reachy_agent_ros.learning.evaluation.contender import contender
from reachy_agent_ros.learning.evaluation.evaluation import Evaluation, EvaluationPlan, Trial
from reachy_agent_ros.learning.evaluation.report import write_report
from reachy_agent_ros.learning.evaluation.summary import figures, headline

_TOLD_EVERY = 10
"""Number of episodes between two progress lines."""


def run(arguments: argparse.Namespace) -> int:
    """Evaluates policies, writes the report and prints the figures.

    Raises:
        AgentError: Same as for `contender` and `EvaluationPlan`; `STORAGE_FAILED` if the report cannot be written.
    """
    contenders = [contender(name, arguments.trained_on) for name in arguments.policies]
    plan = EvaluationPlan(arguments.task, arguments.episodes, arguments.physics, arguments.seed)
    played = list(Evaluation(plan, _as_json if arguments.json else _as_text).play(contenders))
    folder = arguments.out or state_directory() / "evaluations" / "_".join(each.name for each in contenders)
    page = write_report(folder, plan, played)
    found = figures(played)
    if arguments.json:
        print(json.dumps({"report": str(page), **headline(played), "figures": found}), flush=True)
        return 0
    print("".join(f"{name:<58} {value:10.3f}\n" for name, value in found.items()) + f"\n{page}")
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Parses the command line and runs the evaluation."""
    parser = argparse.ArgumentParser(prog="python -m reachy_agent_ros.learning.evaluation", description=__doc__)
    add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print JSON lines only")
    chosen = parser.parse_args(arguments)
    try:
        return run(chosen)
    except AgentError as error:
        facts: Mapping[str, Any] = {"error_code": int(error.code), "error_msg": str(error)}
        print(json.dumps(facts) if chosen.json else str(error), file=sys.stdout if chosen.json else sys.stderr)
        return 2


def _as_json(number: int, total: int, trial: Trial) -> None:
    if number % _TOLD_EVERY == 0 or number == total:
        print(json.dumps({"episode": number, "of": total, "mean_reward": round(trial.reward, 4)}), flush=True)


def _as_text(number: int, total: int, trial: Trial) -> None:
    if sys.stderr.isatty():
        end = "\n" if number == total else ""
        print(f"\r{number}/{total} episodes", end=end, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
