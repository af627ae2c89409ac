"""Recognizes requests for tools without request patterns: tools of MCP servers and plugins, and generated tools.

The tool's name, which the host knows, contains the action and the thing ("home_set_light"). The name of an MCP server
may contain the thing, but never the action: a server named "off" switches nothing off. The person must have said
everything else in the call: every word, every number, and on or off. Therefore untrusted text can at most choose
among things that the person named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from reachy_agent_ros.agent.provenance.requests import RequestClause, clauses_of, is_any, parts_of
from reachy_agent_ros.agent.provenance.words import (
    STEM,
    Words,
    numbers_in,
    plain_words,
    sections,
    small_words,
    texts_in,
    words_of,
)
from reachy_agent_ros.tools.protocol.tools import ToolDescription

_FILE = "tool_words.txt"
"""Word list that maps the names of tools to people's words."""

_STATE_NAMES = {"on": True, "enabled": True, "active": True, "power": True, "state": True, "off": False, "muted": False}
"""Names of arguments that mean on or off, and whether True means on."""

_STATES = {"on": True, "true": True, "off": False, "false": False}


def orders_in(text: str) -> list[RequestClause]:
    """Returns the clauses of a sentence that may request a tool without request patterns.

    Args:
        text: Words of the person.
    """
    return clauses_of(text, _is_verb)


def asks_for_named(
    tool: ToolDescription, clause: RequestClause, arguments: Mapping[str, Any], earlier: Sequence[str]
) -> bool:
    """Returns whether a clause requests a tool call, based on the name and the arguments of the tool.

    Args:
        tool: Description of the tool.
        clause: Request of the person.
        arguments: Arguments of the call, without defaults.
        earlier: Words of the person's previous turn.
    """
    things, behind = _things_of(tool.name), (*clause.before, *earlier)
    parts = _parts_of(tool.own_name)
    if not _is_action(parts, clause, arguments) or not _names_any(things, (*clause.words, *behind)):
        return False
    own_target = _own_target(clause, things)
    if _takes_more(parts, clause, arguments, bool(own_target)):
        return False
    refers_back = not own_target.stems or not small_words("PERSONS").isdisjoint(clause.words)
    own = (*clause.words, *behind) if refers_back else clause.words
    return all(_is_said(name, value, own, _states(clause)) for name, value in arguments.items())


def asks_to_read(tool: ToolDescription, said: str) -> bool:
    """Returns whether a person's request or question concerns the information that a read-only tool returns.

    Args:
        tool: Description of the tool.
        said: Words of the person in this turn.
    """
    refusals, things = small_words("REFUSALS"), _things_of(tool.name)
    asked = any(refusals.isdisjoint(words) and _names_any(things, words) for words in parts_of(said))
    return asked and only_reads(tool)


def names_other_state(clause: RequestClause, arguments: Mapping[str, Any]) -> bool:
    """Returns whether a request says "on" or "off", but the call sets the opposite state.

    Args:
        clause: Request of the person.
        arguments: Arguments of the call, without defaults.
    """
    said = _states(clause)
    return bool(said) and not _states_in(arguments) <= said


def _is_action(parts: frozenset[str], clause: RequestClause, arguments: Mapping[str, Any]) -> bool:
    """Returns whether a tool whose name has the given words performs the action that a request asks for."""
    states = _states(clause)
    fitting = [action for action in _actions() if action.fits(clause)]
    if states:
        switching = [action for action in fitting if action.state is not None]
        by_name = any(not action.names.isdisjoint(parts) for action in switching)
        by_argument = any(not action.state_names.isdisjoint(parts) for action in switching)
        return len(states) == 1 and (by_name or (by_argument and _states_in(arguments) == states))
    known = any(not action.names.isdisjoint(parts) for action in fitting)
    return known or any(clause.words[head] in parts and len(clause.words[head]) > 2 for head in clause.heads)


def _own_target(clause: RequestClause, things: frozenset[str]) -> Words:
    """Returns the words that specify the target, such as "hall" in "turn off the hall fan".

    For "turn it off", returns no words.
    """
    light = small_words("FILLERS") | small_words("ANAPHORS")
    rest = [word for place, word in enumerate(clause.words) if place not in clause.heads and word not in light]
    return words_of(word for word in rest if not _names_any(things, [word]))


def _takes_more(parts: frozenset[str], clause: RequestClause, arguments: Mapping[str, Any], has_target: bool) -> bool:
    """Returns whether a call affects everything although the request names a single target."""
    everything = small_words("WHOLE")
    if not everything.isdisjoint(parts):
        return everything.isdisjoint(clause.words)
    return has_target and all(_state_of(name, value) is not None for name, value in arguments.items())


def _is_said(name: str, value: Any, own: Sequence[str], states: frozenset[bool]) -> bool:
    """Returns whether the person said every word, number and state that an argument contains."""
    told = _state_of(name, value)
    if told is not None:
        return states == {told}
    numbers = not isinstance(value, bool) and numbers_in(value) <= words_of(own).numbers
    return numbers and all(_is_text_said(text, own) for text in texts_in(value))


def _is_text_said(text: str, own: Sequence[str]) -> bool:
    """Returns whether the person said every word of a text, including short words: "not" reverses a message."""
    words = plain_words(text.replace("_", " "))
    return bool(words) == bool(text.strip()) and {word[:STEM] for word in words} <= {word[:STEM] for word in own}


def _state_of(name: str, value: Any) -> bool | None:
    way = _STATE_NAMES.get(name)
    told = value if isinstance(value, bool) else _STATES.get(value.casefold()) if isinstance(value, str) else None
    return None if way is None or told is None else told is way


def _states_in(arguments: Mapping[str, Any]) -> frozenset[bool]:
    return frozenset(told for name, value in arguments.items() if (told := _state_of(name, value)) is not None)


def _states(clause: RequestClause) -> frozenset[bool]:
    """Returns the states (on, off) that a request may ask for. Returns both states if the request is ambiguous."""
    return frozenset(action.state for action in _actions() if action.state is not None and action.fits(clause))


@dataclass(frozen=True)
class _Action:
    """Action, such as switching on, with the words of tool names and of requests that refer to the action.

    Attributes:
        state: On (True) or off (False); None for all other actions.
        names: Words in the names of tools that perform the action.
        state_names: Words in the names of tools that perform the action depending on an argument.
        lines: Patterns of requests: first words, other required words, and last words.
    """

    state: bool | None
    names: frozenset[str]
    state_names: frozenset[str]
    lines: tuple[tuple[tuple[str, ...], ...], ...]

    def fits(self, clause: RequestClause) -> bool:
        """Returns whether a clause requests the action."""
        return any(_fits(clause, *line) for line in self.lines)


@cache
def _actions() -> tuple[_Action, ...]:
    """Reads the actions from the word list."""
    return tuple(_read())


def _parts_of(name: str) -> frozenset[str]:
    """Returns the words of a tool's name."""
    return frozenset(plain_words(name.replace("_", " ")))


@cache
def _things_of(tool: str) -> frozenset[str]:
    """Returns the words that people use for the objects in the full name of a tool, which includes its server."""
    verbs = frozenset[str]().union(*(action.names | action.state_names for action in _actions()))
    other = verbs | small_words("GENERIC", _FILE) | small_words("READ", _FILE)
    plain = _parts_of(tool) - other
    return plain.union(*(line for part in plain for line in _lines_of(part)))


def only_reads(tool: ToolDescription) -> bool:
    """Returns whether a tool is read-only according to all words of its name: "list_events", but not "mark_read"."""
    parts, reading = _parts_of(tool.own_name), small_words("READ", _FILE)
    known = reading | small_words("GENERIC", _FILE)
    return not reading.isdisjoint(parts) and all(part in known or bool(_lines_of(part)) for part in parts)


def _names_any(things: Iterable[str], words: Iterable[str]) -> bool:
    """Returns whether any of the given words refers to any of the given objects."""
    return any(is_any(word, things) for word in words)


@cache
def _is_verb(word: str) -> bool:
    """Returns whether a word can begin a request for an action."""
    return any(is_any(word, heads) for action in _actions() for heads, *_ in action.lines)


def _lines_of(part: str) -> list[list[str]]:
    """Returns the synonym lists that contain a word from a tool's name."""
    lines = next(found for name, found in sections(_FILE) if name == "THINGS")
    return [line.split() for line in lines if is_any(part, line.split())]


def _fits(clause: RequestClause, heads: Sequence[str], needed: Sequence[str], last: Sequence[str]) -> bool:
    if not any(is_any(clause.words[head], heads) for head in clause.heads):
        return False
    end = [word for word in clause.words if word not in small_words("FILLERS")][-1:]
    return _names_any(needed, clause.words) or _names_any(last, end) or not (needed or last)


def _read() -> Iterator[_Action]:
    for title, lines in sections(_FILE):
        if title.isupper():
            continue
        names, _, state_names = title.lstrip("+-").partition("|")
        state = {"+": True, "-": False}.get(title[0])
        columns = tuple(tuple(tuple(part.split()) for part in f"{line} | | ".split("|")[:3]) for line in lines)
        yield _Action(state, frozenset(names.split()), frozenset(state_names.split()), columns)
