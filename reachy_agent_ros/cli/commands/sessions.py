"""Lists, shows, branches, resumes, deletes and exports conversations, whether or not the robot is running."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Coroutine
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.agent.terminal_text import fit, plain
from reachy_agent_ros.cli.arguments import Subcommands, whole
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import Cell, Row, replace_unprintable, show, show_json, show_list, write_text
from reachy_agent_ros.core.names import AGENT, RESUME_SESSION
from reachy_agent_ros.core.paths import state_directory

if TYPE_CHECKING:
    from reachy_agent_ros.agent.sessions.session import Session
    from reachy_agent_ros.agent.sessions.session_store import SessionStore

GROUP = Group.MANAGE

HELP = "list, show, branch, resume, delete or export conversations"

EXAMPLES = (
    "reachy-agent sessions list",
    "reachy-agent sessions show default",
    "reachy-agent sessions branch default other --turns 3",
)

WIDTH = 60
"""Width of the list column that shows how a conversation begins, in columns of the terminal."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the subcommands. The default subcommand is `list`."""
    choices = Subcommands(parser, usual=_list)
    choices.add("list", "list conversations, latest first", _list)
    shown = choices.add("show", "show a conversation turn by turn", _show, example="default")
    branched = choices.add(
        "branch", "copy a conversation, to continue it separately", _branch, example="default other --turns 3"
    )
    resumed = choices.add(
        "resume",
        "continue a conversation on the running robot, or start a new one with that name",
        _resume,
        example="kitchen",
        graph=True,
    )
    deleted = choices.add("delete", "delete a conversation and erase it from disk", _delete, example="default")
    exported = choices.add(
        "export",
        "export a conversation as JSON lines, one per item, or as Markdown",
        _export,
        example="default --markdown --out default.md",
        json=False,
    )
    for choice in (shown, branched, resumed, deleted, exported):
        choice.add_argument("session", metavar="ID", help="name of the conversation")
    branched.add_argument("branch", metavar="NEW", help="name of the copy")
    branched.add_argument("--turns", type=whole(1), default=0, metavar="N", help="copy only the first N turns")
    exported.add_argument("--markdown", action="store_true", help="export as Markdown")
    exported.add_argument("--out", type=Path, metavar="FILE", help="output file (default: standard output)")


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand. Returns the exit code.

    Raises:
        AgentError: `NOT_FOUND`, `INVALID_ARGUMENTS`, or `STORAGE_FAILED`; `SERVER_UNAVAILABLE`: no graph is running.
    """
    if arguments.what == "resume":
        return _resume(arguments)
    from reachy_agent_ros.agent.sessions.session_store import FILE_NAME, SessionStore

    replace_unprintable()
    store = SessionStore(state_directory() / FILE_NAME)
    command: Callable[[SessionStore, argparse.Namespace], Coroutine[Any, Any, int]] = arguments.subcommand
    try:
        return asyncio.run(command(store, arguments))
    finally:
        store.close()


def _resume(arguments: argparse.Namespace) -> int:
    from reachy_agent_msgs.srv import ResumeSession

    from reachy_agent_ros.ros.client.client import joined

    with joined(AGENT, "sessions", arguments.namespace) as agent:
        agent.ask(ResumeSession, RESUME_SESSION, ResumeSession.Request(session_id=arguments.session))
    words = f"The robot continues the conversation {arguments.session}."
    show({"session_id": arguments.session}, words, arguments.json)
    return 0


async def _list(store: SessionStore, arguments: argparse.Namespace) -> int:
    listed = [(asdict(session), _row(session)) for session in await store.sessions()]
    header = ("CONVERSATION", "CHANGED", "TURNS", "BEGINS", "COPY OF")
    show_list(header, listed, arguments.json, "There are no conversations yet.")
    return 0


def _row(session: Session) -> Row:
    from reachy_agent_ros.agent.sessions.session import day

    beginning = fit(session.beginning, WIDTH)
    return Cell(session.session_id, "bold"), day(session.changed), str(session.turns), beginning, session.branched_from


async def _show(store: SessionStore, arguments: argparse.Namespace) -> int:
    from reachy_agent_ros.agent.sessions.session import lines_of, text_of, turns_of

    for number, turn in enumerate(turns_of(await store.items(arguments.session)), 1):
        if arguments.json:
            show_json({"turn": number, "said": text_of(turn[0]), "items": turn})
            continue
        for place, (speaker, text) in enumerate(lines_of(turn)):
            print(f"{number if place == 0 else '':>4}  {speaker:6}  {plain(text)}")
    return 0


async def _branch(store: SessionStore, arguments: argparse.Namespace) -> int:
    await store.branch(arguments.session, arguments.branch, arguments.turns)
    branch = await _find(store, arguments.branch)
    turns = "1 turn" if branch.turns == 1 else f"{branch.turns} turns"
    words = f"{branch.session_id} is a copy of {branch.branched_from}, with {turns}."
    show(asdict(branch), words, arguments.json)
    return 0


async def _delete(_store: SessionStore, arguments: argparse.Namespace) -> int:
    from reachy_agent_ros.agent.sessions.forgetting import forget_conversation
    from reachy_agent_ros.agent.undo.journal import UndoJournal, journal_path

    erased = await forget_conversation(state_directory(), arguments.session)
    with closing(UndoJournal(journal_path())) as journal:
        journal.forget_conversation(arguments.session)
    rest = "" if erased else " The data is erased when the file is next opened, because another process reads it."
    result = {"session_id": arguments.session, "erased": erased}
    show(result, f"Deleted {arguments.session}.{rest}", arguments.json)
    return 0


async def _export(store: SessionStore, arguments: argparse.Namespace) -> int:
    from reachy_agent_ros.agent.sessions.session import as_json_lines, as_markdown

    items = await store.items(arguments.session)
    if arguments.markdown:
        text = as_markdown(await _find(store, arguments.session), items)
    else:
        text = "".join(f"{line}\n" for line in as_json_lines(items))
    write_text(text, arguments.out)
    return 0


async def _find(store: SessionStore, session_id: str) -> Session:
    return next(session for session in await store.sessions() if session.session_id == session_id)
