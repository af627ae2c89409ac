"""Trains, evaluates and shows the tool advisor."""

from __future__ import annotations

import argparse
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING

from reachy_agent_ros.cli.arguments import Subcommands
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import show_json

if TYPE_CHECKING:
    from reachy_agent_ros.learning.correction.policy_store import PolicyStore
    from reachy_agent_ros.learning.feedback.store import FeedbackStore

GROUP = Group.DEVELOPERS

HELP = "train, evaluate or show the advisor that suggests a tool for a request"

EXAMPLES = (
    "reachy-agent advisor train",
    "reachy-agent advisor evaluate --seed 1",
    "reachy-agent advisor show --json",
)

_NAMES = {
    "logged": "logged choices",
    "ips": "importance sampling (IPS)",
    "snips": "self-normalized (SNIPS)",
    "doubly_robust": "doubly robust",
    "gain": "gain",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the subcommands. The default subcommand is `show`."""
    choices = Subcommands(parser, usual=_show)
    added = choices.add("train", "train on the rated choices; the new version is used only if it is better", _train)
    judged = choices.add(
        "evaluate", "estimate the benefit of the active version over no advice", _evaluate, example="--seed 1"
    )
    choices.add("show", "show the numbers of logged choices, and the versions", _show)
    for choice in (added, judged):
        choice.add_argument("--seed", type=int, default=0, help="seed of the intervals (default: %(default)s)")


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand. Returns 0.

    Raises:
        AgentError: Error of `learning/advisor`.
    """
    from reachy_agent_ros.learning.correction.policy_store import PolicyStore
    from reachy_agent_ros.learning.feedback.store import FeedbackStore

    with closing(FeedbackStore()) as store:
        arguments.subcommand(store, PolicyStore(), arguments)
    return 0


def _train(store: FeedbackStore, policies: PolicyStore, arguments: argparse.Namespace) -> None:
    from reachy_agent_ros.learning.advisor.training import figures, train_advisor

    done = train_advisor(store, policies, arguments.seed)
    found = figures(done.evaluation)
    if arguments.json:
        line = {"version": done.record.version, "better": done.better, "reason": done.reason, "figures": found}
        show_json(line)
        return
    _print(found)
    print(f"{done.reason} Version {done.record.version} is active.")


def _evaluate(store: FeedbackStore, policies: PolicyStore, arguments: argparse.Namespace) -> None:
    from reachy_agent_ros.learning.advisor.training import evaluate_advisor, figures

    found = figures(evaluate_advisor(store, policies, arguments.seed))
    if arguments.json:
        show_json(found)
    else:
        _print(found)


def _show(store: FeedbackStore, policies: PolicyStore, arguments: argparse.Namespace) -> None:
    from reachy_agent_ros.learning.action_record import TOOL_CHOICE
    from reachy_agent_ros.learning.advisor.training import logged_choices

    logged = logged_choices(store)
    active = policies.standing(TOOL_CHOICE).active
    counts = {"judged": len(logged.choices), "unjudged": logged.unjudged, "refused": logged.refused}
    versions = [{**asdict(record), "active": record.version == active} for record in policies.list(TOOL_CHOICE)]
    if arguments.json:
        show_json({**counts, "versions": versions})
        return
    print(", ".join(f"{count} {name}" for name, count in counts.items()) + " tool choices")
    for record in versions:
        print(f"{'*' if record['active'] else ' '} {record['version']:3}  {record['because']}")


def _print(found: dict[str, float]) -> None:
    counts = f"{found['judged']:.0f} rated choices, {found['matched']:.0f} of them match its advice"
    print(f"{counts}; mean rating, -1 to 1:")
    for name, words in _NAMES.items():
        print(f"  {words:25}{found[name]:+.3f}  [{found[f'{name}_low']:+.3f}, {found[f'{name}_high']:+.3f}]")
