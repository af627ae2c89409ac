"""Lists, shows, compares, pins and rolls back versions of learned policies."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.cli.arguments import Subcommands
from reachy_agent_ros.cli.commands.skills.figures import figure_in_words
from reachy_agent_ros.cli.output import Cell, Row, show, show_json, show_list, show_table
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.suggestion import did_you_mean

if TYPE_CHECKING:
    from reachy_agent_ros.learning.correction.policy_store import PolicyRecord, PolicyStore, Standing


HEADER = ("SKILL", "VERSION", "MADE", "STATE", "BECAUSE")


def add_subcommands(choices: Subcommands) -> None:
    """Adds the subcommands that need no running graph."""
    listed = choices.add("list", "list learned skills, or the versions of one", list_skills, example="nod")
    shown = choices.add("show", "show a version and its action", _show, example="nod 2")
    compared = choices.add("compare", "compare two versions", _compare, example="nod 1 2")
    pinned = choices.add("pin", "keep using a version, ignoring later learning", _pin, example="nod 2")
    unpinned = choices.add("unpin", "use newly learned versions again", _unpin, example="nod")
    rolled = choices.add(
        "rollback", "use an earlier version, or the untrained behavior before the first one", _roll_back, example="nod"
    )
    listed.add_argument("skill", nargs="?", default="", metavar="SKILL")
    for choice in (shown, compared, pinned, unpinned, rolled):
        choice.add_argument("skill", metavar="SKILL")
    for choice in (shown, pinned):
        choice.add_argument("version", nargs="?", type=int, help="version (default: the active one)")
    rolled.add_argument("version", nargs="?", type=int, help="version (default: the parent of the active one)")
    compared.add_argument("old", type=int, help="version")
    compared.add_argument("new", nargs="?", type=int, help="version (default: the active one)")


def list_skills(arguments: argparse.Namespace) -> None:
    """Prints the active version of each skill, or all versions of one skill."""
    store = _store_with(arguments.skill) if arguments.skill else _store()
    listed = []
    for skill in [arguments.skill] if arguments.skill else store.skills():
        standing = store.standing(skill)
        records = store.list(skill) if arguments.skill else [store.active(skill)]
        listed += [(_line(record, standing), _row(record, standing)) for record in records]
    show_list(HEADER, listed, arguments.json, "There are no learned policies yet.")


def _show(arguments: argparse.Namespace) -> None:
    store = _store_with(arguments.skill)
    record = store.inspect(arguments.skill, _chosen(store, arguments.skill, arguments.version))
    does = _does(store, record)
    standing = store.standing(record.skill)
    if arguments.json:
        show_json({**_line(record, standing), "does": does})
        return
    show_table(HEADER, [_row(record, standing)])
    print(f"made by {record.algorithm}{f' from version {record.parent}' if record.parent else ''}")
    for name, value in {**record.figures, **(does or {})}.items():
        print(f"{name.replace('_', ' '):>24}  {figure_in_words(name, value, _unit(record.skill, name))}")
    print(f"{'weights, SHA-256':>24}  {record.digest}")


def _compare(arguments: argparse.Namespace) -> None:
    store = _store_with(arguments.skill)
    old, new = (_chosen(store, arguments.skill, version) for version in (arguments.old, arguments.new))
    found = store.compare(arguments.skill, old, new)
    does = [_does(store, store.inspect(arguments.skill, version)) or {} for version in (old, new)]
    figures = {**found.figures, **{name: (does[0][name], does[1].get(name)) for name in does[0]}}
    if arguments.json:
        show_json({"skill": arguments.skill, "figures": figures, "weights": found.weights})
        return
    print(f"{'':>24}  {f'version {old}':>10}  {f'version {new}':>10}")
    for name, values in figures.items():
        before, after = (
            "-" if value is None else figure_in_words(name, value, _unit(arguments.skill, name)) for value in values
        )
        print(f"{name.replace('_', ' '):>24}  {before:>10}  {after:>10}")
    if not any(does):  # the weights of a neural network are all that there is to compare
        for name, difference in found.weights.items():
            print(f"{name:>24}  differ by {difference:.3f} at most")


def _pin(arguments: argparse.Namespace) -> None:
    store, skill = _store_with(arguments.skill), arguments.skill
    store.pin(skill, _chosen(store, skill, arguments.version))
    _tell(store, arguments, f"Pinned {_named(store.standing(skill).active)} of {skill}.")


def _unpin(arguments: argparse.Namespace) -> None:
    store, skill = _store_with(arguments.skill), arguments.skill
    store.unpin(skill)
    active = _named(store.standing(skill).active)
    _tell(store, arguments, f"Unpinned {skill}: {active} stays active until the next one is learned.")


def _roll_back(arguments: argparse.Namespace) -> None:
    store, skill = _store_with(arguments.skill), arguments.skill
    wanted = _chosen(store, skill, arguments.version)
    before = store.standing(skill).active
    now = store.roll_back(skill, wanted)
    _tell(store, arguments, f"Rolled back {skill} from {_named(before)} to {_named(now)}.")


def _chosen(store: PolicyStore, skill: str, version: int | None) -> int:
    """Returns the requested version, or 0 if the user requests none. Raises an error if the user requests version 0."""
    if version == 0:
        raise store.missing(skill, version)
    return version or 0


def _named(version: int) -> str:
    return f"version {version}" if version else "untrained"


def _tell(store: PolicyStore, arguments: argparse.Namespace, done: str) -> None:
    record, standing = store.active(arguments.skill), store.standing(arguments.skill)
    show(_line(record, standing), done, arguments.json)


def _store() -> PolicyStore:
    from reachy_agent_ros.learning.correction.policy_store import PolicyStore

    return PolicyStore()


def _store_with(skill: str) -> PolicyStore:
    """Returns the store of the policies. Raises an error that suggests the closest name if the skill does not exist."""
    from reachy_agent_ros.learning.correction.skills import SKILLS

    store = _store()
    known = sorted({*SKILLS, *store.skills()})
    if skill not in known:
        advice = did_you_mean(skill, known) or f" Skills: {', '.join(known)}."
        raise AgentError(ErrorCode.NOT_FOUND, f"Unknown skill {skill!r:.40}.{advice}")
    return store


def _does(store: PolicyStore, record: PolicyRecord) -> dict[str, float] | None:
    """Returns what a version of a correctable skill does in the usual context. For any other policy, returns None."""
    from reachy_agent_ros.learning.correction.learner import ALGORITHM
    from reachy_agent_ros.learning.correction.policy import CorrectionPolicy
    from reachy_agent_ros.learning.correction.skills import DISTANCE, SKILLS, USUAL

    if record.skill not in SKILLS or record.algorithm != ALGORITHM:
        return None
    skill = SKILLS[record.skill]
    context = {name: USUAL if name == DISTANCE else 0.0 for name in skill.context}
    policy = CorrectionPolicy.from_arrays(skill, record.version, store.weights(record))
    return skill.action(context, policy.belief.wanted(skill.features_of(context)))


def _unit(skill: str, parameter: str) -> str:
    """Returns the symbol of a skill parameter's SI unit, or "" for ratios and unknown parameters."""
    from reachy_agent_ros.learning.correction.skills import SKILLS

    parameters = SKILLS[skill].parameters if skill in SKILLS else ()
    return next((one.unit for one in parameters if one.name == parameter), "")


def _line(record: PolicyRecord, standing: Standing) -> dict[str, Any]:
    active = record.version == standing.active
    return {**asdict(record), "active": active, "pinned": active and standing.pinned}


def _row(record: PolicyRecord, standing: Standing) -> Row:
    active = record.version == standing.active
    made = bool(record.version)
    when = f"{datetime.fromtimestamp(record.created):%Y-%m-%d %H:%M}" if made else "-"
    state = "untrained" if not made else "pinned" if active and standing.pinned else "active" if active else ""
    texts = (record.skill, str(record.version) if made else "-", when, state, record.because)
    return tuple(Cell(text, "bold" if active else "") for text in texts)
