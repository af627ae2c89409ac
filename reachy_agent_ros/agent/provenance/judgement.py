"""Decides whether labelled text in the context makes a call need a person's yes.

A model that has read text of others may obey it. So nothing that the model wants after that counts for itself: the
person's own words of this turn must ask for the tool and leave open, or name, what the call gets from the labelled
text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any

from reachy_agent_ros.agent.provenance.label import Label, LabelledContext, phrase, written
from reachy_agent_ros.agent.provenance.named_tools import asks_for_named, asks_to_read, orders_in
from reachy_agent_ros.agent.provenance.requests import RequestClause, clauses_of, has_pattern, names, tools_asked
from reachy_agent_ros.agent.provenance.target import leaves_open, names_other_target
from reachy_agent_ros.agent.provenance.words import Words, derived, numbers_in, plain_words, texts_in, words_in
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.tools.protocol.tool_arguments import read_arguments
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOrigin

RULE = "provenance"
"""How the rule in words begins under which a person is asked for this reason."""

REACTIONS = frozenset({"express_emotion", "gesture"})
"""Tools with which the robot shows, unasked, what it makes of something."""

_MOST_WORDS = 8
"""Of labelled text in what a call sends; a name, a title and a place fit."""

_MOST_DIGITS = 8
"""In what a call sends and the person did not say: a date fits, and the number of a card or an account does not."""


@dataclass(frozen=True)
class Concern:
    """Why a call needs a yes.

    Attributes:
        labels: Where the text comes from that the call follows.
        derived: Whether text of the call itself comes from there. No grant lifts that: the next text is another.
        tool: What is to be called.
    """

    labels: tuple[Label, ...]
    derived: bool
    tool: str

    @property
    def reason(self) -> str:
        """For people, a sentence without a full stop."""
        return f"it {'uses' if self.derived else 'follows'} {phrase(self.labels)}"

    @property
    def is_reaction(self) -> bool:
        """Whether the robot only shows what it makes of the text."""
        return self.tool in REACTIONS

    @property
    def rule(self) -> str:
        """Name of the rule that asks. It is the same for each call of this tool after text of these origins."""
        kind = "uses" if self.derived else "follows"
        return f"{RULE}: {self.tool} {kind} {written(Label(label.kind) for label in self.labels)}: confirm"


def asks_for(rule: str) -> bool:
    """Whether a question of this rule was asked because of provenance."""
    return rule.startswith(f"{RULE}: ")


def holds_once(rule: str) -> bool:
    """Whether a yes to a question of this rule holds for that call alone, however it was said."""
    return asks_for(rule) and " uses " in rule


class Provenance:
    """What is known in one turn about where the model's context comes from.

    Args:
        said: The person's words of this turn.
        understood: The tools that the reflex would call for a clause.

    Attributes:
        context: The labelled text that the model has been shown.
    """

    def __init__(self, said: str, understood: Callable[[str], Sequence[str]] = lambda _text: ()) -> None:
        self.context = LabelledContext()
        self._said = said
        self._understood = understood
        self._own = words_in(said)
        self._earlier: list[str] = []
        self._called: list[str] = []

    def heard_before(self, texts: Sequence[str]) -> None:
        """Takes what the person said in earlier turns: it asks for nothing now, but they are their words."""
        for text in texts:
            self._own |= words_in(text)
        self._earlier = plain_words(texts[-1]) if texts else []

    def called(self, tool: str) -> None:
        """Takes note of a call that is made: it may be what the person's request was about."""
        self._called.append(tool)

    def kept_origin(self, arguments_json: str) -> str:
        """The labels, in one line, of text that a call keeps: none where the person said all of its words.

        Args:
            arguments_json: As the model wrote them.
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
        """Why a call of the model's needs a yes, None where it needs none for this reason.

        Args:
            tool: What is called.
            arguments_json: As the model wrote them; what cannot be read is refused elsewhere.
        """
        labels, effect = self.context.labels, effect_of(tool)
        if not labels or effect is Effect.READ:
            return None
        try:
            arguments = _chosen(tool, read_arguments(tool, arguments_json))
        except AgentError:
            return None
        taken = any(derived(value, self.context.words, self._own) for value in arguments.values())
        if effect is Effect.SEND and has_pattern(tool.name) and not taken and self._is_about(arguments):
            return None
        if not has_pattern(tool.name) and self._is_named(tool, effect, arguments, taken):
            return None
        asking = [] if effect is Effect.SEND and self._tells_much(arguments) else self._asking(tool)
        repeated = taken and effect is not Effect.ACT and self._called.count(tool.name) >= len(asking)
        if not repeated and any(self._covers(clause, tool, arguments) for clause in asking):
            return None
        return Concern(labels, taken, tool.name)

    @cached_property
    def _clauses(self) -> list[tuple[RequestClause, frozenset[str]]]:
        """The person's clauses with the tools that each asks for."""
        found = clauses_of(self._said)
        return [(one, tools_asked(one) | frozenset(self._understood(" ".join(one.words)))) for one in found]

    def _asking(self, tool: ToolDescription) -> list[RequestClause]:
        if has_pattern(tool.name) or any(tool.name in asked for _, asked in self._clauses):
            return [clause for clause, asked in self._clauses if tool.name in asked]
        return [clause for clause, _ in self._clauses[:1]] if names(tool.name, self._said) else []

    def _is_named(self, tool: ToolDescription, effect: Effect, arguments: Mapping[str, Any], taken: bool) -> bool:
        """Whether the person asks for a call of a tool that no pattern knows, or for what such a tool tells."""
        numbers = (numbers_in(dict(arguments)) - self._own.numbers) & self.context.words.numbers
        if effect is Effect.SEND and not taken and not numbers and asks_to_read(tool.name, self._said):
            return True
        return any(asks_for_named(tool.name, one, arguments, self._earlier) for one in orders_in(self._said))

    def _is_about(self, arguments: Mapping[str, Any]) -> bool:
        """Whether arguments share a word with what the person says now: it answers them, and tells nothing else."""
        return words_in(" ".join(texts_in(dict(arguments)))).meets(words_in(self._said))

    def _tells_much(self, arguments: Mapping[str, Any]) -> bool:
        """Whether a call may send more of labelled text than what it is about: a secret, or a copy of the text."""
        sent = words_in(" ".join(texts_in(dict(arguments))))
        taken = (sent.stems - self._own.stems) & self.context.words.stems
        digits = sum(len(f"{number:.0f}") for number in sent.numbers - self._own.numbers)
        return bool(sent.opaque - self._own.opaque) or len(taken) > _MOST_WORDS or digits > _MOST_DIGITS

    def _covers(self, clause: RequestClause, tool: ToolDescription, arguments: Mapping[str, Any]) -> bool:
        if names_other_target(clause, tool, arguments, self.context.words):
            return False
        taken = [value for value in arguments.values() if derived(value, self.context.words, self._own)]
        return not taken or leaves_open(clause, arguments)


def _values(pairs: list[tuple[str, Any]]) -> list[Any]:
    """An object without the names of its parts, which the tool gives."""
    return [value for _, value in pairs]


def _chosen(tool: ToolDescription, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that are not the schema's defaults."""
    properties = tool.schema.get("properties", {})
    return {
        name: value
        for name, value in arguments.items()
        if "default" not in properties.get(name, {}) or properties[name]["default"] != value
    }


class Effect(Enum):
    """What a call of a tool does beyond its answer, which decides how far labelled data may lead to it."""

    READ = "read"
    """Only tells the model something: nobody sees, hears or finds anything of it."""

    SEND = "send"
    """Sends its arguments to another machine or program."""

    TELL = "tell"
    """Speaks, or keeps text: what it does is in its text."""

    ACT = "act"
    """Everything else, unknown tools too."""


_READ = frozenset(
    {
        *("get_robot_state", "current_time", "detect_objects", "describe_image", "analyze_scene"),
        *("recall", "read_note", "search_documents", "read_tool"),
        # A plan changes nothing but the plan, which keeps its labels.
        *("make_plan", "begin_step", "finish_step", "revise_plan", "drop_plan"),
    }
)
_SEND = frozenset({"web_search"})
_TELL = frozenset({"speak", "remember", "write_note"})


def effect_of(tool: ToolDescription) -> Effect:
    """The class of a tool. A tool that is not part of this package, such as a plugin's, counts as one that acts."""
    if tool.origin is ToolOrigin.EXTERNAL:
        return Effect.SEND
    if tool.origin is ToolOrigin.GENERATED:
        return Effect.ACT
    known = ((_READ, Effect.READ), (_SEND, Effect.SEND), (_TELL, Effect.TELL))
    return next((effect for names, effect in known if tool.name in names), Effect.ACT)
