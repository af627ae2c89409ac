"""Lists, shows and deletes the feedback profiles of people."""

from __future__ import annotations

import argparse
from contextlib import closing
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.agent.terminal_text import plain
from reachy_agent_ros.cli.arguments import Subcommands
from reachy_agent_ros.cli.confirmation import require_confirmation
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import Cell, Row, show, show_list
from reachy_agent_ros.core.errors import AgentError, ErrorCode

if TYPE_CHECKING:
    from reachy_agent_ros.learning.correction.policy_store import PolicyStore
    from reachy_agent_ros.learning.feedback.store import FeedbackStore

GROUP = Group.MANAGE

HELP = "list, show or delete each person's feedback profile"

EXAMPLES = (
    "reachy-agent people list",
    "reachy-agent people show Ada",
    "reachy-agent people forget Ada --yes",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the subcommands and the option for the database. The default subcommand is `list`."""
    choices = Subcommands(parser, usual=_list)
    choices.add("list", "list people who rated their own words, and how well they are understood", _list)
    shown = choices.add("show", "show a person's ratings and the predicted ones", _show, example="Ada")
    gone = choices.add("forget", "delete a person's feedback and everything learned from it", _forget, example="Ada")
    gone.add_argument("--yes", action="store_true", help="delete without asking")
    for choice in (shown, gone):
        choice.add_argument("person", metavar="NAME", help="name as in `reachy-agent feedback --person NAME`")
    parser.add_argument("--database", default="", metavar="URL", help="database, if not in the state directory")


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand, with or without a running robot. A running robot uses changes immediately. Returns 0.

    Raises:
        AgentError: `NOT_FOUND`: there is no feedback from that person; `CANCELED`: nobody confirmed the deletion;
            `STORAGE_FAILED`, `MODEL_UNAVAILABLE`.
    """
    from reachy_agent_ros.learning.correction.policy_store import PolicyStore
    from reachy_agent_ros.learning.feedback.store import FeedbackStore

    with closing(FeedbackStore(arguments.database or None)) as store:
        arguments.subcommand(store, PolicyStore(), arguments)
    return 0


def _list(store: FeedbackStore, policies: PolicyStore, arguments: argparse.Namespace) -> None:
    from reachy_agent_ros.learning.reward.current_model import who_labeled

    lines = (_line(policies, person, labels) for person, labels in who_labeled(store).items())
    listed = ((line, _row(line)) for line in lines)
    show_list(("PERSON", "LABELS", "UNDERSTOOD BY"), listed, arguments.json, "Nobody has rated their own words yet.")


def _line(policies: PolicyStore, person: str, labels: int) -> dict[str, Any]:
    from reachy_agent_ros.learning.reward.personalisation import skill_of

    skill = skill_of(person)
    version = policies.standing(skill).active
    figures = policies.inspect(skill).figures if version else {}
    return {"person": person, "labels": labels, "policy": skill, "version": version, "figures": dict(figures)}


def _row(line: dict[str, Any]) -> Row:
    before, after = (line["figures"].get(f"sign right {when}", 0.0) for when in ("before", "after"))
    own = f"version {line['version']} of {line['policy']}: {before:.0%} correct without it, {after:.0%} with it"
    by = own if line["version"] else "the shared model"
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
        words = f"{label.rating:+.2f} predicted {person:+.2f}, for others {everybody:+.2f}  {plain(label.text)}"
        show(line, words, arguments.json)


def _forget(store: FeedbackStore, policies: PolicyStore, arguments: argparse.Namespace) -> None:
    from sqlalchemy import select

    from reachy_agent_ros.learning.feedback.schema import JUDGMENTS
    from reachy_agent_ros.learning.reward.current_model import forget_person

    person = arguments.person
    if store.find(select(JUDGMENTS.c.text).where(JUDGMENTS.c.person == person).limit(1)):
        require_confirmation(f"Delete the feedback of {person!r:.60} and everything learned from it", arguments.yes)
    gone = forget_person(store, policies, person)
    if not gone:
        raise _unknown(person)
    show({"forgotten": gone}, f"Deleted {gone} {'piece' if gone == 1 else 'pieces'} of feedback.", arguments.json)


def _unknown(person: str) -> Exception:
    return AgentError(ErrorCode.NOT_FOUND, f"There is no feedback from {person!r:.60}.")
