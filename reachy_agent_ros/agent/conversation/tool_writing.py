"""Tool writing in a turn: detects requests for a new tool and guides the model through its attempts.

Either a person explicitly asks for a tool, or a program orders one. Code, not the model, decides what the model does
after each attempt and how often it may try.
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
"""Tool of the tool server that registers a new tool from its source."""

MOST_REPAIRS = 3
"""Maximum number of attempts after the first rejected one."""

_REPAIRABLE = (ErrorCode.VALIDATION_FAILED, ErrorCode.INVALID_ARGUMENTS)
"""Errors that another attempt may avoid: the source failed verification, or its cases are unreadable."""

TEMPERATURES = (0.0, 0.6, 0.8, 1.0)
"""Sampling temperature by number of rejected attempts. At 0, a small model writes the same source again."""

ARRIVAL_TIME = 1.0
"""Time for a registered tool to appear in the catalogue, s. The catalogue is transmitted separately from the result."""

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
    """Returns whether a sentence explicitly asks for a new tool: "write a tool that counts the vowels in a word".

    Recognizes only plain English requests. A model decides in all other cases whether a tool is needed.

    Args:
        text: User message.
    """
    wish = _WISH.search(text)
    return wish is not None and not _REFUSED.search(text[: wish.start()].replace("n't", " not"))


@dataclass(frozen=True)
class ToolOrder:
    """Request from a program to write a new tool. The turn of the request has no other purpose.

    Attributes:
        description: Description of the tool's task, in words.
        cases: Tests that the tool must pass, a JSON list as for `write_tool`; "[]" to let the model write them.
    """

    description: str
    cases: str = "[]"

    @property
    def text(self) -> str:
        """User message for the model."""
        order = f"Write a new tool in Python with {WRITE_TOOL}. It must do this: {self.description}"
        return order if self.cases == "[]" else f"{order}\nIt must pass these cases: {self.cases}"

    def with_cases(self, arguments_json: str) -> str:
        """Returns the arguments of a `write_tool` call. The order's test cases replace the model's test cases."""
        try:
            arguments: Any = json.loads(arguments_json)
        except (ValueError, RecursionError):
            arguments = None
        if self.cases == "[]" or not isinstance(arguments, dict):  # the call rejects unreadable arguments
            return arguments_json
        return json.dumps({**arguments, "cases": json.loads(self.cases)})


@dataclass(frozen=True)
class WrittenTool:
    """Stored version of a tool that passed verification.

    Attributes:
        name: Name of the tool.
        version: Version number.
        waiting: Whether a person has to approve the version before it runs.
        summary: Result as a sentence.
    """

    name: str
    version: int
    waiting: bool
    summary: str


def written_tool(outcome: ToolOutcome) -> WrittenTool | None:
    """Returns the tool version that a `write_tool` call has stored, or None if nothing was stored."""
    result = json.loads(outcome.result_json) if outcome.error is None else {}
    if not result.get("version"):
        return None
    return WrittenTool(result["name"], result["version"], result["waiting_for_review"], result["result"])


class ToolWriting:
    """Guides and counts a model's attempts to write tools in one turn.

    Args:
        catalogue: Returns the tools that can be called now.
        wished: Whether a person explicitly asked for a tool.
        order: Order from a program, None in a person's turn.

    Attributes:
        due: Whether the model must call `write_tool` next: at first if a tool was requested, and after a rejected
            attempt. Unless forced, a small model only describes a solution, or gives up after the first rejection.
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
        """Sampling temperature of the next attempt. It increases with each rejected attempt."""
        return TEMPERATURES[min(self._refused, MOST_REPAIRS)]

    @property
    def refusal(self) -> AgentError | None:
        """Error that rejects a further attempt; None if another attempt is allowed."""
        if self._refused <= MOST_REPAIRS:
            return None
        message = f"Still invalid after {MOST_REPAIRS} repairs. Tell the person why it does not work."
        return AgentError(ErrorCode.VALIDATION_FAILED, message)

    def completed(self, tool: str, arguments_json: str) -> str:
        """Returns the arguments of a model's tool call. Inserts the order's test cases into a `write_tool` call."""
        if tool != WRITE_TOOL or self._order is None:
            return arguments_json
        return self._order.with_cases(arguments_json)

    async def led(self, arguments_json: str, outcome: ToolOutcome) -> ToolOutcome:
        """Adds an instruction for the model's next step to the outcome of an attempt.

        After a successful attempt, waits until the new tool can be called.

        Args:
            arguments_json: Arguments of the attempt.
            outcome: Outcome of the attempt.
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
        return f"Now use {name} for the request; the {tool.specialist} specialist has it."

    async def _arrived(self, name: str) -> ToolDescription | None:
        for _ in range(round(ARRIVAL_TIME / _LOOK_PERIOD)):
            tool = next((tool for tool in self._catalogue() if tool.name == name), None)
            if tool is not None:
                return tool
            await asyncio.sleep(_LOOK_PERIOD)
        return None
