"""Trains, evaluates, compares, pins, rolls back and deletes learned skills."""

from __future__ import annotations

import argparse

from reachy_agent_ros.cli.arguments import Subcommands
from reachy_agent_ros.cli.commands.skills import delete, evaluate, report, train, versions
from reachy_agent_ros.cli.groups import Group

GROUP = Group.TEACH

HELP = "list, train, evaluate, compare, pin, roll back or delete learned skills"

EXAMPLES = (
    "reachy-agent skills",
    "reachy-agent skills train nod",
    "reachy-agent skills rollback nod",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the subcommands. The default subcommand is `list`."""
    parser.set_defaults(skill="")
    choices = Subcommands(parser, usual=versions.list_skills)
    versions.add_subcommands(choices)
    delete.add_arguments(
        choices.add("delete", "delete all versions of a skill", delete.run, example="nod --yes", graph=True)
    )
    train.add_arguments(
        choices.add(
            "train",
            "train a skill from its demonstrations, in the running graph; Ctrl-C stops, the same command resumes",
            train.run,
            example="nod --episodes 100",
            graph=True,
        )
    )
    evaluate.add_arguments(
        choices.add(
            "evaluate",
            "evaluate a version of a skill on its fixed test, in the running graph",
            evaluate.run,
            example="nod --version 3 --episodes 20",
            graph=True,
        )
    )
    report.add_arguments(
        choices.add(
            "report",
            "evaluate policies in simulation, without the graph, and write a report",
            report.run,
            example="nod --episodes 20 --out report",
        )
    )


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand. A running robot uses a newly selected version from its next action on. Returns 0.

    Raises:
        AgentError: Error of the policy store, the trainer or the evaluation.
    """
    arguments.subcommand(arguments)
    return 0
