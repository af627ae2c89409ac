"""Provenance check, which decides whether a person must approve a call after the model has read labeled text.

A model that has read untrusted text may obey it. Therefore the person's own words in this turn must ask for the tool,
and must name what the call takes from the labeled text, or leave it open.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any

from reachy_agent_ros.agent.provenance.label import Label, LabeledContext, phrase, written
from reachy_agent_ros.agent.provenance.named_tools import asks_for_named, asks_to_read, orders_in
from reachy_agent_ros.agent.provenance.requests import RequestClause, clauses_of, has_pattern, names, tools_asked
from reachy_agent_ros.agent.provenance.target import leaves_open, names_other_target
from reachy_agent_ros.agent.provenance.words import (
    Words,
    derived,
    numbers_in,
    plain_words,
    texts_in,
    unsaid_digits,
    words_in,
)
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.tools.protocol.tool_arguments import read_arguments
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOrigin

RULE = "provenance"
"""Prefix of rule descriptions for questions about provenance."""

REACTIONS = frozenset({"express_emotion", "gesture"})
"""Tools with which the robot reacts to something unasked."""

_MOST_WORDS = 8
"""Maximum number of words from labeled text in a call that sends data: enough for a name, a title and a place."""

_MOST_DIGITS = 8
"""Maximum number of digits that the person did not say in such a call: enough for a date, but not a card number."""


@dataclass(frozen=True)
class Concern:
    """Reason why a tool call needs approval because of the provenance of text in a model's context.

    Attributes:
        labels: Origins of the text that the call follows.
        derived: Whether the call itself contains such text. No grant covers this, because the next text will differ.
        tool: Name of the tool.
    """

    labels: tuple[Label, ...]
    derived: bool
    tool: str

    @property
    def reason(self) -> str:
        """Readable explanation as a clause without a final period."""
        return f"it {'uses' if self.derived else 'follows'} {phrase(self.labels)}"

    @property
    def is_reaction(self) -> bool:
        """Whether the call is a mere reaction to the text, such as a gesture or an emotion."""
        return self.tool in REACTIONS

    @property
    def rule(self) -> str:
        """Description of the rule that requires approval. It depends only on the tool and on the kinds of origins."""
        kind = "uses" if self.derived else "follows"
        return f"{RULE}: {self.tool} {kind} {written(Label(label.kind) for label in self.labels)}: confirm"


def asks_for(rule: str) -> bool:
    """Returns whether a rule requires approval because of the provenance of text."""
    return rule.startswith(f"{RULE}: ")


def holds_once(rule: str) -> bool:
    """Returns whether an approval under a rule is valid for one call only, even if the person approved more calls."""
    return asks_for(rule) and " uses " in rule.partition(";")[0]  # another rule may follow, with any words


class Provenance:
    """Tracks the provenance of text in a model's context during one turn, and checks tool calls against it.

    Args:
        said: Words of the person in this turn.
        understood: Returns the tools that the reflex would call for a clause.

    Attributes:
        context: Labeled text that the model has been shown.
    """

    def __init__(self, said: str, understood: Callable[[str], Sequence[str]] = lambda _text: ()) -> None:
        self.context = LabeledContext()
        self._said = said
        self._understood = understood
        self._own = words_in(said)
        self._earlier: list[str] = []
        self._called: list[str] = []

    def heard_before(self, texts: Sequence[str]) -> None:
        """Adds the person's words from earlier turns. They are the person's own words, but do not count as requests."""
        for text in texts:
            self._own |= words_in(text)
        self._earlier = plain_words(texts[-1]) if texts else []

    def called(self, tool: str) -> None:
        """Records a tool call, because it may have fulfilled a request of the person."""
        self._called.append(tool)

    def kept_origin(self, arguments_json: str) -> str:
        """Returns the provenance labels (one line) for text that a call stores.

        Empty if the person said every content word and number, or the model has read no labeled text.

        Args:
            arguments_json: Arguments as the model wrote them.
        """
        if not self.context.labels:
            return ""
        try:
            kept = words_in(" ".join(texts_in(json.loads(arguments_json or "{}", object_pairs_hook=_values))))
        except (ValueError, RecursionError):
            kept = Words()
        own = bool(kept) and kept.stems <= self._own.stems and kept.numbers <= self._own.numbers
        return "" if own else written(self.context.labels)

    def concern(self, tool: ToolDescription, arguments_json: str) -> Concern | None:
        """Checks whether a model's call needs approval because of provenance. Returns the reason or None.

        Args:
            tool: Description of the tool.
            arguments_json: Arguments as the model wrote them. Invalid arguments are rejected elsewhere.
        """
        labels, effect = self.context.labels, effect_of(tool)
        if not labels or effect is Effect.READ:
            return None
        try:
            arguments = _chosen(tool, read_arguments(tool, arguments_json))
        except AgentError:
            return None
        taken = any(derived(value, self.context.words, self._own) for value in arguments.values())
        if effect is Effect.SEND and _has_pattern(tool) and not taken and self._is_about(arguments):
            return None
        if not _has_pattern(tool) and self._is_named(tool, effect, arguments, taken):
            return None
        asking = [] if effect is Effect.SEND and self._tells_much(arguments) else self._asking(tool)
        repeated = taken and effect is not Effect.ACT and self._called.count(tool.name) >= len(asking)
        if not repeated and any(self._covers(clause, tool, arguments) for clause in asking):
            return None
        return Concern(labels, taken, tool.name)

    @cached_property
    def _clauses(self) -> list[tuple[RequestClause, frozenset[str]]]:
        """Clauses of the person's sentence, each with the tools that the clause requests."""
        found = clauses_of(self._said)
        return [(one, tools_asked(one) | frozenset(self._understood(" ".join(one.words)))) for one in found]

    def _asking(self, tool: ToolDescription) -> list[RequestClause]:
        asking = [clause for clause, asked in self._clauses if tool.name in asked]
        if tool.origin is not ToolOrigin.EXTERNAL and (asking or has_pattern(tool.name)):
            return asking
        return [clause for clause, _ in self._clauses[:1]] if names(tool, self._said) else []

    def _is_named(self, tool: ToolDescription, effect: Effect, arguments: Mapping[str, Any], taken: bool) -> bool:
        """Returns whether the person requests a tool by words of its name, or asks for information that it returns."""
        numbers = (numbers_in(dict(arguments)) - self._own.numbers) & self.context.words.numbers
        if effect is Effect.SEND and not taken and not numbers and asks_to_read(tool, self._said):
            return True
        return any(asks_for_named(tool, one, arguments, self._earlier) for one in orders_in(self._said))

    def _is_about(self, arguments: Mapping[str, Any]) -> bool:
        """Returns whether the arguments share a word or number with the person's words in this turn."""
        return words_in(" ".join(texts_in(dict(arguments)))).meets(words_in(self._said))

    def _tells_much(self, arguments: Mapping[str, Any]) -> bool:
        """Returns whether a call may send more than the topic of the labeled text: a secret or a copy of the text."""
        sent = words_in(" ".join(texts_in(dict(arguments))))
        taken = (sent.stems - self._own.stems) & self.context.words.stems
        digits = unsaid_digits(dict(arguments), self._own)
        return bool(sent.opaque - self._own.opaque) or len(taken) > _MOST_WORDS or digits > _MOST_DIGITS

    def _covers(self, clause: RequestClause, tool: ToolDescription, arguments: Mapping[str, Any]) -> bool:
        if names_other_target(clause, tool, arguments, self.context.words):
            return False
        taken = [value for value in arguments.values() if derived(value, self.context.words, self._own)]
        return not taken or leaves_open(clause, arguments)


def _has_pattern(tool: ToolDescription) -> bool:
    """Returns whether request patterns describe a tool. None describes a tool of an MCP server, whatever its name."""
    return tool.origin is not ToolOrigin.EXTERNAL and has_pattern(tool.name)


def _values(pairs: list[tuple[str, Any]]) -> list[Any]:
    """Returns the values of a JSON object without the keys, because the tool defines the keys."""
    return [value for _, value in pairs]


def _chosen(tool: ToolDescription, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the arguments that differ from the default values in the tool's schema."""
    properties = tool.schema.get("properties", {})
    return {
        name: value
        for name, value in arguments.items()
        if "default" not in properties.get(name, {}) or properties[name]["default"] != value
    }


class Effect(Enum):
    """Side effect of a tool. Determines how strictly its calls are checked after the model has read labeled text."""

    READ = "read"
    """Only returns information to the model, without any visible, audible or stored effect."""

    SEND = "send"
    """Sends its arguments to another machine or program."""

    TELL = "tell"
    """Speaks or stores text from its arguments."""

    ACT = "act"
    """Has any other effect; includes unknown tools."""


_READ = frozenset(
    {
        *("get_robot_state", "current_time", "detect_objects", "describe_image", "analyze_scene"),
        *("recall", "read_note", "read_list", "search_documents", "read_tool", "list_schedule", "list_jobs"),
        "list_learned",
        # Planning tools only change the plan, which keeps its labels.
        *("make_plan", "begin_step", "finish_step", "revise_plan", "drop_plan"),
    }
)
_SEND = frozenset({"web_search"})
_TELL = frozenset(
    {
        *("speak", "remember", "write_note", "add_to_list", "remove_from_list"),
        *("set_timer", "set_alarm", "set_reminder"),
    }
)


def effect_of(tool: ToolDescription) -> Effect:
    """Returns the side effect of a tool. Unknown tools, such as the tools of plugins, count as `ACT`."""
    if tool.origin is ToolOrigin.EXTERNAL:
        return Effect.SEND
    if tool.origin is ToolOrigin.GENERATED:
        return Effect.ACT
    known = ((_READ, Effect.READ), (_SEND, Effect.SEND), (_TELL, Effect.TELL))
    return next((effect for names, effect in known if tool.name in names), Effect.ACT)
