"""Evaluates a version of a skill on its fixed test, in the running graph."""

from __future__ import annotations

import argparse
from functools import partial

from reachy_agent_ros.cli.commands.skills.figures import in_words
from reachy_agent_ros.cli.output import show_json
from reachy_agent_ros.core.names import EVALUATE

_LIMIT = 620.0
"""Timeout, s: the trainer's own limit plus a margin for the response."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the skill, the version, the episodes and the seed."""
    parser.add_argument("skill", help="demonstrated skill, or a task of the suite: nod, shake, look_at ...")
    parser.add_argument("--version", default="", metavar="N", help="version (default: the active one)")
    parser.add_argument(
        "--episodes", type=int, default=0, metavar="N", help="number of test episodes, at most 1000 (default: 10)"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the test, 0 to 999 (default: %(default)s)")


def run(arguments: argparse.Namespace) -> int:
    """Runs the evaluation, and prints each episode and the metrics. Returns 0.

    Raises:
        AgentError: No graph is running, or the trainer has refused the evaluation.
    """
    from reachy_agent_msgs.action import Evaluate

    from reachy_agent_ros.ros.client.trainer_client import TrainerAction, figures_of, show_round, whole

    goal = Evaluate.Goal(
        skill=arguments.skill,
        policy_version=arguments.version,
        episodes=whole(arguments.episodes),
        seed=whole(arguments.seed),
    )
    action = TrainerAction(Evaluate, EVALUATE, arguments.namespace)
    result = action.run(goal, _LIMIT, partial(show_round, as_json=arguments.json))
    figures = figures_of(result)
    if arguments.json:
        show_json({"skill": arguments.skill, "episodes": result.episodes, "figures": figures, "report": result.report})
    else:
        print(f"{arguments.skill} in {result.episodes} episodes:\n{in_words(figures)}")
        if result.report:
            print(f"Comparison with the demonstrations: {result.report}")
    return 0
