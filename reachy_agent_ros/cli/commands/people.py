"""Lists, shows and deletes what the robot learned about each person's feedback."""

from __future__ import annotations

import argparse
from contextlib import closing
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.agent.terminal_text import plain
from reachy_agent_ros.cli.arguments import Subcommands
from reachy_agent_ros.cli.output import Cell, Row, show, show_list
from reachy_agent_ros.core.errors import AgentError, ErrorCode

if TYPE_CHECKING:
    from reachy_agent_ros.learning.correction.policy_store import PolicyStore
    from reachy_agent_ros.learning.feedback.store import FeedbackStore

HELP = "list, show or forget what the robot learned of how each person means their words"

EXAMPLES = (
    "reachy-agent people list",
    "reachy-agent people show Ada",
    "reachy-agent people forget Ada",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds what to do, of whom, and where feedback is kept."""
    choices = Subcommands(parser)
    choices.add("list", "who rated their own words, and how well they are understood", _list)
    shown = choices.add("show", "what a person rated, and what it is taken for", _show, example="Ada")
    gone = choices.add(
        "forget", "delete what a person said of the robot, and what was learned of it", _forget, example="Ada"
    )
    for choice in (shown, gone):
        choice.add_argument("person", metavar="NAME", help="as in `reachy-agent feedback --person NAME`")
    parser.add_argument("--database", default="", metavar="URL", help="of feedback that is not in the state directory")


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand, while the robot runs or not; a running robot uses the result at once. Returns 0.

    Raises:
        AgentError: `NOT_FOUND`: nobody of that name gave feedback; `STORAGE_FAILED`, `MODEL_UNAVAILABLE`.
    """
    from reachy_agent_ros.learning.correction.policy_store import PolicyStore
    from reachy_agent_ros.learning.feedback.store import FeedbackStore

    with closing(FeedbackStore(arguments.database or None)) as store:
        arguments.subcommand(store, PolicyStore(), arguments)
    return 0


def _list(store: FeedbackStore, policies: PolicyStore, arguments: argparse.Namespace) -> None:
    from reachy_agent_ros.learning.reward.current_model import who_labelled

    lines = (_line(policies, person, labels) for person, labels in who_labelled(store).items())
    listed = ((line, _row(line)) for line in lines)
    show_list(("PERSON", "LABELS", "UNDERSTOOD BY"), listed, arguments.json, "Nobody rated their own words yet.")


def _line(policies: PolicyStore, person: str, labels: int) -> dict[str, Any]:
    from reachy_agent_ros.learning.reward.personalisation import skill_of

    skill = skill_of(person)
    version = policies.standing(skill).active
    figures = policies.inspect(skill).figures if version else {}
    return {"person": person, "labels": labels, "policy": skill, "version": version, "figures": dict(figures)}


def _row(line: dict[str, Any]) -> Row:
    before, after = (line["figures"].get(f"sign right {when}", 0.0) for when in ("before", "after"))
    own = f"version {line['version']} of {line['policy']}: {before:.0%} right without it, {after:.0%} with it"
    by = own if line["version"] else "what holds for everybody"
    return Cell(line["person"], "bold"), str(line["labels"]), by


def _show(store: FeedbackStore, policies: PolicyStore, arguments: argparse.Namespace) -> None:
    from reachy_agent_ros.core.embedding import SentenceEmbedder
    from reachy_agent_ros.learning.reward.current_model import given_labels
    from reachy_agent_ros.learning.reward.personalisation import Personalisation
    from reachy_agent_ros.learning.reward.retraining import Retraining
    from reachy_agent_ros.learning.reward.reward_model import RewardModel

    labels = given_labels(store, arguments.person)
    if not labels:
        raise _unknown(arguments.person)
    shared, version = Retraining(policies, RewardModel(SentenceEmbedder())).acting()
    own = Personalisation(policies).model(arguments.person, shared, version) or shared
    for label in labels:
        everybody, person = shared.score(label.text).rating, own.score(label.text).rating
        line = {"text": label.text, "given": label.rating, "everybody": everybody, "person": person}
        words = f"{label.rating:+.2f} taken for {person:+.2f}, of others {everybody:+.2f}  {plain(label.text)}"
        show(line, words, arguments.json)


def _forget(store: FeedbackStore, policies: PolicyStore, arguments: argparse.Namespace) -> None:
    from reachy_agent_ros.learning.reward.current_model import forget_person

    gone = forget_person(store, policies, arguments.person)
    if not gone:
        raise _unknown(arguments.person)
    show({"forgotten": gone}, f"{gone} judgements are forgotten.", arguments.json)


def _unknown(person: str) -> Exception:
    return AgentError(ErrorCode.NOT_FOUND, f"Nobody called {person!r:.60} gave feedback that is kept.")
