"""Putting the meanings of clauses together to a decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

from reachy_agent_ros.nlu.decision import Action, Decision, Kind
from reachy_agent_ros.nlu.rule import Meanings, command
from reachy_agent_ros.nlu.wording import wording


@dataclass
class Reading:
    """What has been understood of a sentence so far.

    Attributes:
        steps: What each clause may mean, in order.
        wants_description: Whether it asks what the robot sees.
        remainder: Rest of the sentence that wants an answer.
        likeness: 0..1; how like known phrases the least certain clause was, 1 where rules knew them all.
    """

    steps: list[Meanings] = field(default_factory=list)
    wants_description: bool = False
    remainder: str = ""
    likeness: float = 1.0

    def add(self, meanings: Meanings, sequential: bool = True) -> None:
        """Adds a step; two turns of the head at once are one pose, or the second would undo the first.

        Args:
            meanings: What the next clause may mean.
            sequential: Whether it is to come after the clause before it, not along with it.
        """
        if self.steps and _idempotent(meanings) and list(self.steps[-1]) == list(meanings):
            return  # "wake up, get up" is said twice and done once
        merged = None if sequential or not self.steps else _merged(self.steps[-1], meanings)
        if merged is None:
            self.steps.append(meanings)
        else:
            self.steps[-1] = command(merged)

    def take_back(self) -> None:
        """Forgets the last step, if there is one."""
        del self.steps[-1:]

    def decision(self) -> Decision:
        """To act, if there is one meaning; to ask, if there are more."""
        alternatives = tuple(
            tuple(action for meaning in choice for action in meaning) for choice in product(*self.steps)
        )
        certain = len(alternatives) == 1
        return Decision(
            Kind.ACT if certain else Kind.ASK,
            actions=alternatives[0] if certain else (),
            alternatives=() if certain else alternatives,
            question="" if certain else _question(alternatives),
            confidence=self.likeness / len(alternatives),
            wants_description=self.wants_description,
            remainder=self.remainder,
        )


def _merged(first: Meanings, second: Meanings) -> Action | None:
    """One pose of two turns about different axes, None if they are anything else."""
    if not (len(first) == len(second) == 1 and len(first[0]) == len(second[0]) == 1):
        return None
    before, after = first[0][0], second[0][0]
    if before.tool != "move_head" or after.tool != "move_head" or before.arguments.keys() & after.arguments.keys():
        return None
    return Action("move_head", {**before.arguments, **after.arguments})


def _idempotent(meanings: Meanings) -> bool:
    actions = [action for meaning in meanings for action in meaning]
    return all(
        action.tool == "head_tracking" or action.arguments.get("gesture") in ("wake_up", "go_to_sleep")
        for action in actions
    )


def _question(alternatives: Sequence[Sequence[Action]]) -> str:
    tools = {actions[0].tool for actions in alternatives}
    if len(alternatives) == 4 and tools == {"move_head"}:
        return "Which way should I turn my head: left, right, up or down?"
    if len(alternatives) == 2 and tools == {"move_head", "rotate_body"}:
        return "Do you mean my head or my whole body?"
    worded = list(dict.fromkeys(map(wording, alternatives)))
    return f"Should I {', '.join(worded[:-1])}, or {worded[-1]}?" if len(worded) > 1 else f"Should I {worded[0]}?"
