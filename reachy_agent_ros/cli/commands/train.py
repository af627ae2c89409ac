"""Has the running graph train a skill, and shows how it goes."""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.output import show
from reachy_agent_ros.core.names import TRAIN

HELP = "train a skill on what was shown, in the graph that runs; Ctrl-C ends it, the same command goes on"

EXAMPLES = (
    "reachy-agent train nod",
    "reachy-agent train nod --episodes 100",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the skill, how it is learnt, and the output format."""
    parser.add_argument("skill", help="that somebody has shown, or a task of the suite: nod, shake, look_at ...")
    parser.add_argument(
        "--algorithm", default="", help="bc, dagger, gail, ppo or sac (default: ppo from what was shown)"
    )
    parser.add_argument("--episodes", type=int, default=0, metavar="N", help="to be played (default: 60)")
    parser.add_argument("--seed", type=int, default=0, help="of everything by chance (default: %(default)s)")
    parser.add_argument(
        "--limit", type=float, default=3600.0, metavar="S", help="s that it may take (default: an hour)"
    )
    add_options(parser, graph=True)


def run(arguments: argparse.Namespace) -> int:
    """Prints every round, and the version that was made. Returns 0.

    Raises:
        AgentError: No graph runs, or what the trainer refuses.
    """
    from reachy_agent_msgs.action import Train

    from reachy_agent_ros.ros.client.trainer_client import TrainerAction, figures_of, show_round, whole
    from reachy_agent_ros.ros.rclpy_ext.convert import duration_message

    goal = Train.Goal(
        skill=arguments.skill,
        algorithm=arguments.algorithm,
        episodes=whole(arguments.episodes),
        seed=whole(arguments.seed),
        time_allowance=duration_message(arguments.limit),
    )
    action = TrainerAction(Train, TRAIN, arguments.namespace)
    result = action.run(goal, arguments.limit, partial(show_round, as_json=arguments.json))
    figures = figures_of(result)
    line = {
        "skill": arguments.skill,
        "version": int(result.policy_version),
        "deployed": result.deployed,
        "figures": figures,
    }
    show(line, _words(line), arguments.json)
    return 0


def _words(line: dict[str, Any]) -> str:
    from reachy_agent_ros.ros.client.trainer_client import in_words

    acts = "acts from now on" if line["deployed"] else "is kept, and does not act"
    return f"Version {line['version']} of {line['skill']} {acts}.\n{in_words(line['figures'])}"
