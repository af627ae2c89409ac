"""Interpretation of a sentence that is built clause by clause, and the decision that follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

from reachy_agent_ros.nlu.clarification import wording
from reachy_agent_ros.nlu.clause import MOST_REPETITIONS, Meanings, command
from reachy_agent_ros.nlu.decision import HOLD, Action, Decision, DecisionKind
from reachy_agent_ros.nlu.sentence import SentencePart


@dataclass
class Reading:
    """Interpretation of a sentence, built clause by clause.

    Attributes:
        steps: Possible meanings of each clause, in order.
        wants_description: Whether the sentence asks what the robot sees.
        remainder: Rest of the sentence that needs an answer.
        likeness: Lowest similarity of a clause to known phrases, 0..1; 1 if rules knew all clauses.
        needs_confirmation: Whether to ask before acting on the only meaning.
        has_free_text: Whether a template took any words as a text or as the name of an object.
    """

    steps: list[Meanings] = field(default_factory=list)
    wants_description: bool = False
    remainder: str = ""
    likeness: float = 1.0
    needs_confirmation: bool = False
    has_free_text: bool = False

    def add(self, meanings: Meanings, sequential: bool = True) -> None:
        """Adds the meanings of a clause. Merges simultaneous head turns into one pose, so that both take effect.

        Args:
            meanings: Possible meanings of the next clause.
            sequential: Whether the clause follows the one before it, instead of running at the same time.
        """
        if self.steps and _idempotent(meanings) and list(self.steps[-1]) == list(meanings):
            return  # "wake up, get up" is one action
        merged = None if sequential or not self.steps else _merged(self.steps[-1], meanings)
        if merged is None:
            self.steps.append(meanings)
        else:
            self.steps[-1] = command(merged)

    def add_part(self, part: SentencePart, meanings: Meanings) -> None:
        """Adds the meanings of a clause. A clause that corrects the one before it replaces that clause's meanings."""
        if part.corrects:
            self.take_back()
        self.add(meanings, part.sequential or part.corrects)

    def take_back(self) -> None:
        """Removes the last step, if the reading has steps."""
        del self.steps[-1:]

    def decision(self) -> Decision:
        """Returns the decision to act, or to ask about an unlikely meaning, several meanings or too many repetitions.

        A stop cancels the clauses before it, and does not wait for the answer to a question about those after it.
        """
        stops = [index for index, meanings in enumerate(self.steps) if _stops(meanings)]
        decision = self._decision(self.steps[stops[-1] :] if stops else self.steps)
        return HOLD if stops and decision.kind is DecisionKind.ASK else decision

    def _decision(self, steps: Sequence[Meanings]) -> Decision:
        alternatives = tuple(tuple(action for meaning in choice for action in meaning) for choice in product(*steps))
        possible = tuple(tuple(map(_within_limit, actions)) for actions in alternatives)
        if possible != alternatives:
            return Decision(
                DecisionKind.ASK,
                alternatives=possible[:1],
                question=f"I can repeat that at most {MOST_REPETITIONS} times. Should I {wording(possible[0])}?",
                confidence=self.likeness,
                wants_description=self.wants_description,
                remainder=self.remainder,
            )
        certain = len(alternatives) == 1 and not self.needs_confirmation
        return Decision(
            DecisionKind.ACT if certain else DecisionKind.ASK,
            actions=alternatives[0] if certain else (),
            alternatives=() if certain else alternatives,
            question="" if certain else _question(alternatives),
            confidence=self.likeness / len(alternatives),
            wants_description=self.wants_description,
            remainder=self.remainder,
        )


def _stops(meanings: Meanings) -> bool:
    return any(action.tool == "stop" for meaning in meanings for action in meaning)


def _within_limit(action: Action) -> Action:
    """Returns an action with its repetitions limited to `MOST_REPETITIONS`."""
    if action.arguments.get("repetitions", 1) <= MOST_REPETITIONS:
        return action
    return Action(action.tool, {**action.arguments, "repetitions": MOST_REPETITIONS})


def _merged(first: Meanings, second: Meanings) -> Action | None:
    """Merges two head turns about different axes into one pose. Returns None for any other meanings."""
    if not (len(first) == len(second) == 1 and len(first[0]) == len(second[0]) == 1):
        return None
    before, after = first[0][0], second[0][0]
    if before.tool != "move_head" or after.tool != "move_head" or before.arguments.keys() & after.arguments.keys():
        return None
    return Action("move_head", {**before.arguments, **after.arguments})


_REPEATABLE = frozenset(
    ("gesture", "take_photo", "dance", "wait", "undo", "speak", "set_antennas", "play_move", "set_timer")
)
"""Tools that do more if they are called again with the same arguments."""


def _idempotent(meanings: Meanings) -> bool:
    actions = [action for meaning in meanings for action in meaning]
    return all(
        action.tool not in _REPEATABLE or action.arguments.get("gesture") in ("wake_up", "go_to_sleep")
        for action in actions
    )


def _question(alternatives: Sequence[Sequence[Action]]) -> str:
    tools = {actions[0].tool for actions in alternatives}
    if len(alternatives) == 4 and tools == {"move_head"}:
        return "Which way should I turn my head: left, right, up or down?"
    if len(alternatives) == 2 and tools == {"move_head", "rotate_body"}:
        return "Do you mean my head or my whole body?"
    if tools == {"dance"} and len(alternatives) > 1 and all(len(actions) == 1 for actions in alternatives):
        names = [str(actions[0].arguments["dance"]).replace("_", " ") for actions in alternatives]
        return f"Which dance: {', '.join(names[:-1])} or {names[-1]}?"
    worded = list(dict.fromkeys(map(wording, alternatives)))
    return f"Should I {', '.join(worded[:-1])}, or {worded[-1]}?" if len(worded) > 1 else f"Should I {worded[0]}?"
