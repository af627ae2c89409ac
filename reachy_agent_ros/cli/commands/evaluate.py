"""Has the running graph measure a version of a skill on its fixed test."""

from __future__ import annotations

import argparse
from functools import partial

from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.output import show_json
from reachy_agent_ros.core.names import EVALUATE

HELP = "measure a version of a skill on its fixed test, in the graph that runs"

EXAMPLES = (
    "reachy-agent evaluate nod",
    "reachy-agent evaluate nod --version 3 --episodes 20",
)


_LIMIT = 620.0
"""s: the trainer's own limit, and a margin for the answer."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the skill, the version, the test, and the output format."""
    parser.add_argument("skill", help="that somebody has shown, or a task of the suite: nod, shake, look_at ...")
    parser.add_argument("--version", default="", metavar="N", help="which one (default: the one that acts)")
    parser.add_argument("--episodes", type=int, default=0, metavar="N", help="of the test (default: 10)")
    parser.add_argument("--seed", type=int, default=0, help="of the test (default: %(default)s)")
    add_options(parser, graph=True)


def run(arguments: argparse.Namespace) -> int:
    """Prints every episode, and what was measured. Returns 0.

    Raises:
        AgentError: No graph runs, or what the trainer refuses.
    """
    from reachy_agent_msgs.action import Evaluate

    from reachy_agent_ros.ros.client.trainer_client import TrainerAction, figures_of, in_words, show_round, whole

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
            print(f"What was shown and what it does: {result.report}")
    return 0
