"""Shows, searches, changes, exports and empties the robot's memory, whether or not the robot is running."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry, RecalledEntry, normalized
from reachy_agent_ros.agent.terminal_text import fit, plain
from reachy_agent_ros.cli.arguments import Subcommands, read_text, whole
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import Row, replace_unprintable, show, show_list, write_text
from reachy_agent_ros.core.errors import AgentError, ErrorCode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reachy_agent_ros.agent.memory.embedder import Embedder
    from reachy_agent_ros.agent.memory.entry_store import Forgotten
    from reachy_agent_ros.agent.memory.memory import Memory

GROUP = Group.MANAGE

HELP = "show, search, change, export or empty the robot's memory"

EXAMPLES = (
    "reachy-agent memory list",
    "reachy-agent memory remember 'favorite color' 'green'",
    'reachy-agent memory recall "what do I like?"',
)

KINDS = ("fact", "episode", "note", "document")
HEADER = ("NUMBER", "KIND", "SINCE", "WHAT", "SOURCE")
WIDTH = 100
"""Width of a text in a list, columns."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the subcommands. The default subcommand is `list`."""
    parser.set_defaults(kind=None, limit=-1)
    choices = Subcommands(parser, usual=_list)
    listed = choices.add("list", "list memories, newest first", _list, example="--kind fact --limit 10")
    found = choices.add("recall", "search for the best answers to a question", _recall, example="'what do I like?'")
    found.add_argument("query", help="question or keywords")
    for one, limit in ((listed, -1), (found, 5)):
        one.add_argument("--kind", action="append", choices=KINDS, help="only this kind; may be repeated")
        one.add_argument("--limit", type=whole(1), default=limit, metavar="N", help="maximum number of results")
    told = choices.add(
        "remember", "store a fact, replacing the one with the same key", _remember, example="'favorite color' green"
    )
    told.add_argument("key", help="subject of the fact: 'favorite color'")
    told.add_argument("text", help="content of the fact")
    gone = choices.add(
        "forget", "delete facts and episodes and erase them from disk", _forget, example="'favorite color'"
    )
    gone.add_argument("which", nargs="*", metavar="WHICH", help="number from the list, or key of a fact")
    gone.add_argument("--everything", action="store_true", help="all memories; notes and documents stay as files")
    history = choices.add(
        "history", "list what a fact said before it was replaced, newest first", _history, example="'favorite color'"
    )
    history.add_argument("key", help="key of the fact")
    saved = choices.add("export", "write all memories as JSON lines", _export, example="--out memory.jsonl", json=False)
    saved.add_argument("--out", type=Path, metavar="FILE", help="output file (default: standard output)")
    taken = choices.add(
        "import", "import the facts and episodes of an export, all or none", _import, example="memory.jsonl"
    )
    taken.add_argument("file", type=Path, help="exported file; - for standard input")
    choices.add("notes", "read the notes folder again and show changes", _notes)
    documents = choices.add("documents", "list, add or remove searchable files", _documents, example="add manual.md")
    documents.add_argument(
        "action", nargs="?", default="list", choices=("list", "add", "forget"), help="operation (default: list)"
    )
    documents.add_argument("files", nargs="*", type=Path, metavar="FILE", help="Markdown or text")


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand. Returns 0.

    Raises:
        AgentError: `NOT_FOUND`, `INVALID_ARGUMENTS`, or `STORAGE_FAILED`.
    """
    from reachy_agent_ros.agent.memory.embedder import LateEmbedder
    from reachy_agent_ros.agent.memory.memory import Memory, memory_path

    replace_unprintable()
    with closing(Memory(memory_path(), LateEmbedder(_embedder))) as memory:
        try:
            arguments.subcommand(memory, arguments)
        finally:
            if memory.damage:
                print(memory.damage, file=sys.stderr)
    return 0


def _list(memory: Memory, arguments: argparse.Namespace) -> None:
    entries = memory.entries(_kinds(arguments), arguments.limit)
    listed = [(_fields(entry), _row(entry)) for entry in entries]
    show_list(HEADER, listed, arguments.json, "There are no memories yet.")


def _recall(memory: Memory, arguments: argparse.Namespace) -> None:
    from reachy_agent_ros.agent.memory.notes import Notes, notes_folder
    from reachy_agent_ros.agent.memory.search import LEAST_RELEVANT

    Notes(memory, notes_folder()).synchronize()
    kinds = _kinds(arguments)
    stated = memory.knowledge.answer(arguments.query, arguments.limit) if EntryKind.FACT in kinds else None
    known = [RecalledEntry(fact, 1.0, 1.0) for fact in stated or ()]
    recalled = [
        found for found in memory.recall(arguments.query, kinds, arguments.limit) if found.entry not in (stated or ())
    ]
    relevant = [*known, *(found for found in recalled if found.score >= LEAST_RELEVANT)][: arguments.limit]
    listed = [
        ({**_fields(found.entry), "score": round(found.score, 3)}, (f"{found.score:.2f}", *_row(found.entry)))
        for found in sorted(relevant, key=lambda found: found.score, reverse=True)
    ]
    show_list(("SCORE", *HEADER), listed, arguments.json, "No memory matches the question.")


def _remember(memory: Memory, arguments: argparse.Namespace) -> None:
    for entry in memory.remember(
        MemoryEntry(EntryKind.FACT, arguments.text, arguments.key, "told on the command line")
    ):
        show(_fields(entry), f"Remembered as number {entry.identity}: {plain(entry.sentence)}", arguments.json)


def _forget(memory: Memory, arguments: argparse.Namespace) -> None:
    from reachy_agent_ros.agent.undo.journal import UndoJournal, journal_path

    if arguments.everything == bool(arguments.which):
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "Pass the memories to forget, or --everything.")
    chosen = () if arguments.everything else _numbers(memory, arguments.which)
    gone = memory.forget_everything() if arguments.everything else memory.forget(chosen)
    with closing(UndoJournal(journal_path())) as journal:  # which may contain earlier values of the facts
        journal.forget(EntryKind.FACT)
    _print_gone(gone, arguments.json)


def _numbers(memory: Memory, which: Sequence[str]) -> list[int]:
    """Returns the numbers of entries that are named by number or key. Raises `NOT_FOUND` if an entry does not exist."""
    facts = {fact.key: fact.identity for fact in memory.entries((EntryKind.FACT,))}
    numbers = []
    for one in which:
        entry = memory.entry(int(one)) if one.isdecimal() and len(one) < 19 else None
        number = entry.identity if entry else facts.get(normalized(one))
        if number is None:
            message = f"No memory has the number or key {one!r:.60}. Nothing was forgotten.{_nearest(one, facts)}"
            raise AgentError(ErrorCode.NOT_FOUND, message)
        numbers.append(number)
    return numbers


def _nearest(key: str, facts: Mapping[str, int | None]) -> str:
    """Returns a "Did you mean" hint with facts that have similar keys, or "" if no key is similar."""
    near = get_close_matches(key.casefold(), facts)
    listed = ", ".join(f"{plain(name)} (number {facts[name]})" for name in near)
    return f" Did you mean {listed}?" if near else ""


def _history(memory: Memory, arguments: argparse.Namespace) -> None:
    listed = [
        (
            {**_fields(one.fact), "replaced": one.replaced},
            (_day(one.fact.created), _day(one.replaced), fit(plain(one.fact.text), WIDTH), one.fact.source),
        )
        for one in memory.knowledge.earlier(arguments.key)
    ]
    show_list(("SINCE", "UNTIL", "WHAT", "SOURCE"), listed, arguments.json, "The fact has no earlier values.")


def _export(memory: Memory, arguments: argparse.Namespace) -> None:
    from reachy_agent_ros.agent.memory.transfer import export_lines

    write_text("".join(f"{line}\n" for line in export_lines(memory)), arguments.out)


def _import(memory: Memory, arguments: argparse.Namespace) -> None:
    from reachy_agent_ros.agent.memory.transfer import import_lines

    count = import_lines(memory, read_text(arguments.file).split("\n"))
    show({"new": count}, f"{count} new entries.", arguments.json)


def _notes(memory: Memory, arguments: argparse.Namespace) -> None:
    from reachy_agent_ros.agent.memory.notes import Notes, notes_folder

    changes = Notes(memory, notes_folder()).synchronize()
    ends = dict.fromkeys(sorted(memory.files(EntryKind.NOTE)), "unchanged")
    ends |= dict.fromkeys(changes.read, "read") | dict.fromkeys(changes.forgotten, "forgotten")
    _print_files(ends | {name: f"refused: {reason}" for name, reason in changes.refused.items()}, arguments.json)
    if not arguments.json:
        print(f"Notes are in {notes_folder()}.")


def _documents(memory: Memory, arguments: argparse.Namespace) -> None:
    from reachy_agent_ros.agent.memory.documents import Documents

    documents = Documents(memory)
    if arguments.action == "list":
        _print_files(dict.fromkeys(map(str, documents.listed()), "listed"), arguments.json)
        return
    if not arguments.files:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "No file given: pass at least one.")
    for file in arguments.files:
        if arguments.action == "add":
            _print_files({str(file.absolute()): "read" if documents.add(file) else "unchanged"}, arguments.json)
        else:
            _print_gone(documents.forget(file), arguments.json)


def _embedder() -> Embedder:
    from reachy_agent_ros.core.embedding import SentenceEmbedder

    return SentenceEmbedder()


def _kinds(arguments: argparse.Namespace) -> tuple[EntryKind, ...]:
    return tuple(EntryKind(kind) for kind in arguments.kind or KINDS)


def _fields(entry: MemoryEntry) -> dict[str, Any]:
    from reachy_agent_ros.agent.memory.transfer import fields_of

    return {"number": entry.identity, **fields_of(entry)}


def _row(entry: MemoryEntry) -> Row:
    return str(entry.identity), entry.kind, _day(entry.created), fit(plain(entry.sentence), WIDTH), entry.source


def _day(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds):%Y-%m-%d}"


def _print_files(ends: dict[str, str], as_json: bool) -> None:
    for name, end in ends.items():
        show({"file": name, "state": end}, f"{plain(end)}  {plain(name)}", as_json)


def _print_gone(gone: Forgotten, as_json: bool) -> None:
    rest = "" if gone.erased else " The data is erased when the file is next opened, because another process reads it."
    words = f"Deleted {gone.count} {'entry' if gone.count == 1 else 'entries'}.{rest}"
    show({"forgotten": gone.count, "erased": gone.erased}, words, as_json)
