"""Trains a skill in the running graph, and shows the progress of the training."""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from reachy_agent_ros.cli.arguments import span
from reachy_agent_ros.cli.commands.skills.figures import in_words
from reachy_agent_ros.cli.output import show
from reachy_agent_ros.core.names import TRAIN


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the skill and the training."""
    parser.add_argument("skill", help="demonstrated skill, or a task of the suite: nod, shake, look_at ...")
    parser.add_argument(
        "--algorithm",
        default="",
        help="training algorithm: bc, dagger, gail, ppo or sac (default: ppo from demonstrations)",
    )
    parser.add_argument("--episodes", type=int, default=0, metavar="N", help="number of episodes (default: 60)")
    parser.add_argument("--seed", type=int, default=0, help="random seed, 0 to 999 (default: %(default)s)")
    parser.add_argument("--limit", type=span, default="1h", metavar="TIME", help="time limit (default: %(default)s)")


def run(arguments: argparse.Namespace) -> int:
    """Trains the skill, and prints each training round and the new version. Returns 0.

    Raises:
        AgentError: No graph is running, or the trainer has refused the training.
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
    acts = "is active from now on" if line["deployed"] else "is stored, but not active"
    return f"Version {line['version']} of {line['skill']} {acts}.\n{in_words(line['figures'])}"
