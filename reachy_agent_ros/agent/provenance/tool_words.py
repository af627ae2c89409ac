"""What names of tools mean and how people say it: `tool_words.txt`, for tools that no pattern of requests knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from reachy_agent_ros.agent.provenance.requests import Clause, is_any
from reachy_agent_ros.agent.provenance.small_words import sections, small_words
from reachy_agent_ros.agent.provenance.words import plain_words

_FILE = "tool_words.txt"


@dataclass(frozen=True)
class Action:
    """What tools do.

    Attributes:
        state: On or off, None for every other action.
        names: Words in names of tools that do it.
        state_names: Words in names of tools that do it if an argument says so.
        lines: How a request for it begins, what else stands in it, and how it may end.
    """

    state: bool | None
    names: frozenset[str]
    state_names: frozenset[str]
    lines: tuple[tuple[tuple[str, ...], ...], ...]

    def fits(self, clause: Clause) -> bool:
        """Whether a clause asks for it."""
        return any(_fits(clause, *line) for line in self.lines)


@cache
def actions() -> tuple[Action, ...]:
    """All actions."""
    return tuple(_read())


def action_of(tool: str) -> frozenset[str]:
    """The words of a tool's name without its server's: they say what it does.

    Args:
        tool: Name.
    """
    return frozenset(plain_words(tool.rpartition("__")[2].replace("_", " ")))


@cache
def things_of(tool: str) -> frozenset[str]:
    """How people name what a tool is about; the server's name counts as well.

    Args:
        tool: Name.
    """
    verbs = frozenset[str]().union(*(action.names | action.state_names for action in actions()))
    other = verbs | small_words("GENERIC", _FILE) | small_words("READ", _FILE)
    plain = frozenset(plain_words(tool.replace("_", " "))) - other
    return plain.union(*(line for part in plain for line in _lines_of(part)))


def only_reads(tool: str) -> bool:
    """Whether a tool only tells something, as far as each word of its name says so: "list_events", but not "mark_read".

    Args:
        tool: Name.
    """
    parts, reading = action_of(tool), small_words("READ", _FILE)
    known = reading | small_words("GENERIC", _FILE)
    return not reading.isdisjoint(parts) and all(part in known or bool(_lines_of(part)) for part in parts)


def names_any(things: Iterable[str], words: Iterable[str]) -> bool:
    """Whether one of the words names one of the things."""
    return any(is_any(word, things) for word in words)


@cache
def is_verb(word: str) -> bool:
    """Whether a request for an action begins with a word."""
    return any(is_any(word, heads) for action in actions() for heads, *_ in action.lines)


def _lines_of(part: str) -> list[list[str]]:
    """The words for the things that a word in a tool's name may mean, a list for each."""
    lines = next(found for name, found in sections(_FILE) if name == "THINGS")
    return [line.split() for line in lines if is_any(part, line.split())]


def _fits(clause: Clause, heads: Sequence[str], needed: Sequence[str], last: Sequence[str]) -> bool:
    if not any(is_any(clause.words[head], heads) for head in clause.heads):
        return False
    end = [word for word in clause.words if word not in small_words("FILLERS")][-1:]
    return names_any(needed, clause.words) or names_any(last, end) or not (needed or last)


def _read() -> Iterator[Action]:
    for title, lines in sections(_FILE):
        if title.isupper():
            continue
        names, _, state_names = title.lstrip("+-").partition("|")
        state = {"+": True, "-": False}.get(title[0])
        columns = tuple(tuple(tuple(part.split()) for part in f"{line} | | ".split("|")[:3]) for line in lines)
        yield Action(state, frozenset(names.split()), frozenset(state_names.split()), columns)
