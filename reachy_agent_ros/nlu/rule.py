"""The shape of a rule: a pattern that must match the whole of a clause, and what to do then."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reachy_agent_ros.nlu.clause import Clause
from reachy_agent_ros.nlu.decision import Action

Meanings = Sequence[Sequence[Action]]
"""What a clause may mean: one entry is a command, several are a question, none is nothing."""

NOTHING: Meanings = ()


@dataclass(frozen=True)
class Rule:
    """A pattern and its meaning.

    Attributes:
        pattern: Must match the clause's core from end to end, which is what keeps questions, negations and
            reported speech out: they have words that no rule knows.
        meanings: What the clause may mean; `NOTHING` if it does not fit after all.
    """

    pattern: re.Pattern[str]
    meanings: Callable[[re.Match[str], Clause], Meanings]

    def __call__(self, clause: Clause) -> Meanings:
        """Applies the rule."""
        match = self.pattern.fullmatch(clause.core)
        return NOTHING if match is None else self.meanings(match, clause)


def call(tool: str, **arguments: Any) -> Action:
    """An action; arguments that are None are left out."""
    return Action(tool, {name: value for name, value in arguments.items() if value is not None})


def command(*actions: Action) -> Meanings:
    """The one meaning of these actions in a row."""
    return (actions,)


def timed(clause: Clause, angles: Mapping[str, float] | None, tool: str = "move_head") -> Meanings:
    """A motion to `angles` in the clause's duration."""
    return NOTHING if angles is None else command(call(tool, **angles, duration_s=clause.duration))
