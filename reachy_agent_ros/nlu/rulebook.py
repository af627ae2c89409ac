"""Every rule, and what they make of a clause."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from reachy_agent_ros.nlu import analysis, antennas, body, expression, gesture, head, senses, sight
from reachy_agent_ros.nlu.clause import Clause, take_apart
from reachy_agent_ros.nlu.free_order import posture
from reachy_agent_ros.nlu.rule import Meanings, call, command
from reachy_agent_ros.nlu.vocabulary import Vocabulary


class Rulebook:
    """The rules for clauses, asked in order: the first that knows one decides.

    Args:
        vocabulary: What the robot can express.

    Attributes:
        emotion: The name of an emotion in a word for it, as `Vocabulary.emotion`.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.emotion = vocabulary.emotion
        self._rules: Sequence[Callable[[Clause], Meanings]] = (
            *head.RULES,
            *gesture.RULES,
            *antennas.RULES,
            *body.RULES,
            *senses.RULES,
            *analysis.RULES,
            *sight.RULES,
            *expression.rules(vocabulary),
            posture,
        )

    def meanings_of(self, clause: Clause) -> Meanings:
        """What the rules make of a clause."""
        if senses.SIGHT.fullmatch(clause.core):
            return command(call("take_photo"))
        explicit = head.explicit_angles(clause) or head.explicit_shift(clause)
        return explicit or next((found for rule in self._rules if (found := rule(clause))), ())

    def meanings(self, text: str) -> Meanings:
        """What the rules make of a text that is one clause."""
        return self.meanings_of(take_apart(text))

    def knows(self, text: str) -> bool:
        """Whether such a text is a command."""
        return bool(self.meanings(text))
