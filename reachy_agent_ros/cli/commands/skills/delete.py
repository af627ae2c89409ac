"""Deletes a learned skill, through the `trainer` node if it is running, otherwise in the state directory."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from reachy_agent_ros.cli.confirmation import require_confirmation
from reachy_agent_ros.cli.output import show
from reachy_agent_ros.core.instance import runs
from reachy_agent_ros.core.names import LIST_POLICIES, SET_POLICY, TRAINER


class _Skill(NamedTuple):
    """Skill to delete, and the function that deletes it.

    Attributes:
        versions: Number of versions.
        delete: Deletes all versions; raises `NOT_FOUND` if there are none.
    """

    versions: int
    delete: Callable[[], object]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the skill and the confirmation."""
    parser.add_argument("skill", metavar="SKILL")
    parser.add_argument("--yes", action="store_true", help="delete without asking")


def run(arguments: argparse.Namespace) -> None:
    """Deletes a skill after a confirmation.

    Raises:
        AgentError: `NOT_FOUND`: the skill has no version; `CANCELED`: nobody confirmed; or an error of the trainer or
            the policy store.
    """
    name = arguments.skill
    where = _in_graph if runs(f"{arguments.namespace}/{TRAINER}") else _in_state_directory
    with where(name, arguments.namespace) as skill:
        versions = f"{skill.versions} version{'' if skill.versions == 1 else 's'}"
        if skill.versions:  # without a version, the deletion reports the error
            require_confirmation(f"Delete {name} with {versions}", arguments.yes)
        skill.delete()
    show({"deleted": name, "versions": skill.versions}, f"Deleted {name} with {versions}.", arguments.json)


@contextmanager
def _in_graph(name: str, namespace: str) -> Iterator[_Skill]:
    from reachy_agent_msgs.srv import ListPolicies, SetPolicy

    from reachy_agent_ros.ros.client.client import joined

    with joined(TRAINER, "skills", namespace) as trainer:
        listed = trainer.ask(ListPolicies, LIST_POLICIES, ListPolicies.Request(skill=name))
        request = SetPolicy.Request(skill=name, operation=SetPolicy.Request.DELETE)
        yield _Skill(len(listed.versions), lambda: trainer.ask(SetPolicy, SET_POLICY, request))


@contextmanager
def _in_state_directory(name: str, _namespace: str) -> Iterator[_Skill]:
    from reachy_agent_ros.learning.correction.policy_store import PolicyStore

    store = PolicyStore()
    yield _Skill(len(store.list(name)), lambda: store.delete(name))
