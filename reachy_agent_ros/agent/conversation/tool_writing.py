"""Knows when a tool has to be written, and leads a model through writing one.

A person asks for a tool in so many words, or a program orders one. Code says what the model does after each attempt,
and how often it may try.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOutcome

WRITE_TOOL = "write_tool"
"""Tool of the tool server that takes the source of another."""

MOST_REPAIRS = 3
"""Attempts after the first one that is refused."""

_REPAIRABLE = (ErrorCode.VALIDATION_FAILED, ErrorCode.INVALID_ARGUMENTS)
"""What a better attempt helps: the source failed its proof, or its cases cannot be read."""

TEMPERATURES = (0.0, 0.6, 0.8, 1.0)
"""Of a model, by how many attempts were refused: with the likeliest words, a small one writes the same again."""

ARRIVAL_TIME = 1.0
"""Seconds for a tool that was registered to be in the catalogue, which comes by another way than the result."""

_LOOK_PERIOD = 0.02
_SOME = r"(?:(?:me|us|you|yourself)\s+)?(?:a|an|another|some)\s+(?:[\w-]+\s+){0,3}?tools?"
_DOING = r"\s+(?:that|which|to|for|with|called|named)\b"
_WISH = re.compile(
    rf"\b(?:write|make|build|create|program|develop|generate)\s+{_SOME}{_DOING}"
    rf"|(?:\bwant|\bneed|\bwould\s+like|'d\s+like)\s+(?:you\s+to\s+(?:have|get|write|make|build|create)\s+)?{_SOME}{_DOING}",
    re.IGNORECASE,
)
_REFUSED = re.compile(r"\b(?:not|never|without)\b(?:\s+\w+){0,3}\s*$", re.IGNORECASE)


def wishes_tool(text: str) -> bool:
    """Whether the words ask for a tool that does something: "write a tool that counts the vowels in a word".

    It reads English, and only what is plain; whatever else needs a tool is for a model to find out.

    Args:
        text: What the person said.
    """
    wish = _WISH.search(text)
    return wish is not None and not _REFUSED.search(text[: wish.start()].replace("n't", " not"))


@dataclass(frozen=True)
class ToolOrder:
    """A tool that a program orders: the turn is about nothing else.

    Attributes:
        description: What the tool shall do, in words.
        cases: Tests that the tool must pass, a JSON list as `write_tool` takes it; "[]": the model's own.
    """

    description: str
    cases: str = "[]"

    @property
    def text(self) -> str:
        """What the model is told."""
        order = f"Write a new tool in Python with {WRITE_TOOL}. What it shall do: {self.description}"
        return order if self.cases == "[]" else f"{order}\nIt must pass these cases: {self.cases}"

    def with_cases(self, arguments_json: str) -> str:
        """The arguments of a call of `write_tool` with the cases of the order in place of the model's."""
        try:
            arguments: Any = json.loads(arguments_json)
        except (ValueError, RecursionError):
            arguments = None
        if self.cases == "[]" or not isinstance(arguments, dict):  # what cannot be read is refused where it is called
            return arguments_json
        return json.dumps({**arguments, "cases": json.loads(self.cases)})


@dataclass(frozen=True)
class WrittenTool:
    """A version of a tool that passed its verification and was kept.

    Attributes:
        name: The tool's.
        version: Its number.
        waiting: Whether a person has to approve it before it runs.
        summary: The same in a sentence.
    """

    name: str
    version: int
    waiting: bool
    summary: str


def written_tool(outcome: ToolOutcome) -> WrittenTool | None:
    """What a call of `write_tool` made, None where it made nothing."""
    result = json.loads(outcome.result_json) if outcome.error is None else {}
    if not result.get("version"):
        return None
    return WrittenTool(result["name"], result["version"], result["waiting_for_review"], result["result"])


class ToolWriting:
    """The tools that are written in one turn.

    Args:
        catalogue: Gives the tools that can be called now.
        wished: Whether a person asked for one in so many words.
        order: What a program ordered, None in a turn of a person's.

    Attributes:
        due: Whether an attempt is what comes next: the first where a tool is wished, and the next after one that was
            refused. A small model tells how it would do it, or gives up at the first refusal, unless it is held to it.
    """

    def __init__(
        self, catalogue: Callable[[], Sequence[ToolDescription]], wished: bool, order: ToolOrder | None = None
    ) -> None:
        self._catalogue = catalogue
        self._order = order
        self._refused = 0
        self._attempt = ""
        self.due = wished or order is not None

    @property
    def temperature(self) -> float:
        """How freely the model is to choose its words: not at all, until an attempt is refused."""
        return TEMPERATURES[min(self._refused, MOST_REPAIRS)]

    @property
    def refusal(self) -> AgentError | None:
        """Why no further attempt is made, None if one may be."""
        if self._refused <= MOST_REPAIRS:
            return None
        message = f"It was repaired {MOST_REPAIRS} times in vain. Tell the person why it does not work."
        return AgentError(ErrorCode.VALIDATION_FAILED, message)

    def completed(self, tool: str, arguments_json: str) -> str:
        """The arguments of a model's call; those of `write_tool` get the cases that were ordered."""
        if tool != WRITE_TOOL or self._order is None:
            return arguments_json
        return self._order.with_cases(arguments_json)

    async def led(self, arguments_json: str, outcome: ToolOutcome) -> ToolOutcome:
        """The outcome of an attempt with what is next; a tool that can be used now is in the catalogue then.

        Args:
            arguments_json: Of the attempt.
            outcome: Of it.
        """
        self.due = False
        same, self._attempt = arguments_json == self._attempt, arguments_json
        if outcome.error is not None:
            repairable = outcome.error.code in _REPAIRABLE
            return replace(outcome, next=self._after_refusal(same)) if repairable else outcome
        result = json.loads(outcome.result_json)
        if result.get("registered"):
            return replace(outcome, next=await self._after_success(str(result.get("name"))))
        if result.get("waiting_for_review"):
            self._refused = 0
            return replace(outcome, next="A person has to review it before it can be used: tell them so.")
        return replace(outcome, next=self._after_refusal(same))

    def _after_refusal(self, same: bool) -> str:
        self._refused += 1
        left = MOST_REPAIRS + 1 - self._refused
        if left <= 0:
            return "Do not try again: tell the person why it does not work."
        self.due = True
        times = "once more" if left == 1 else f"up to {left} times"
        what = "This is what was refused before: write it in another way" if same else "Repair what is wrong"
        return f"{what} and call {WRITE_TOOL} again, {times}."

    async def _after_success(self, name: str) -> str:
        self._refused = 0
        tool = await self._arrived(name)
        if tool is None:
            return f"{name} is registered, but cannot be used yet: tell the person so."
        if self._order is not None:
            return f"{name} is registered. That is all that was asked for: say so, and do not call it."
        return f"Now do what was asked for with {name}; the {tool.specialist} specialist has it."

    async def _arrived(self, name: str) -> ToolDescription | None:
        for _ in range(round(ARRIVAL_TIME / _LOOK_PERIOD)):
            tool = next((tool for tool in self._catalogue() if tool.name == name), None)
            if tool is not None:
                return tool
            await asyncio.sleep(_LOOK_PERIOD)
        return None
