"""What is known of a version when it is registered: who wrote it, what for, and how it was proven."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reachy_agent_ros.core.sanitised_text import sanitised
from reachy_agent_ros.tool_generation.verdict import Verdict

LONGEST_TEXT = 8_000
"""Characters of a request, an explanation or a reason; more is cut."""


@dataclass(frozen=True)
class CaseRecord:
    """A test, and how it went; mirror of `ToolTestCase` and `ToolTestResult`.

    Attributes:
        arguments: JSON object.
        expected: JSON value; empty when only the absence of an error counts.
        raises: Name of the exception that must come instead of a result; empty where none may.
        ok: Whether it passed.
        result: JSON value that the tool returned, cut where it is long.
        error: One sentence, empty without an error.
        duration: s it took.
        invented: Whether nobody chose the arguments, so that it says little of what the tool is for.
    """

    arguments: str = "{}"
    expected: str = ""
    raises: str = ""
    ok: bool = True
    result: str = ""
    error: str = ""
    duration: float = 0.0
    invented: bool = False

    def sanitised(self) -> CaseRecord:
        """The same, in texts that can be stored and shown; the test itself stays what it is."""
        return replace(
            self,
            arguments=_encodable(self.arguments),
            expected=_encodable(self.expected),
            raises=_encodable(self.raises),
            result=sanitised(self.result),
            error=sanitised(self.error),
        )


@dataclass(frozen=True)
class Record:
    """Where a version comes from.

    Attributes:
        author: "model NAME", "person", "import" or "folder".
        request: What was asked for, in words.
        explanation: What it is for, in the author's words.
        verdicts: One a stage, in order.
        cases: The tests it passed, with their results.
        needs_review: Whether a person approves it before it runs.
        asked_by: Token that it was asked for with, empty if none.
    """

    author: str
    request: str = ""
    explanation: str = ""
    verdicts: tuple[Verdict, ...] = ()
    cases: tuple[CaseRecord, ...] = ()
    needs_review: bool = True
    asked_by: str = ""

    def sanitised(self) -> Record:
        """The same, in texts that can be stored and shown: models and strangers wrote them."""
        return replace(
            self,
            author=sanitised(self.author, 200),
            asked_by=sanitised(self.asked_by, 200),
            request=sanitised(self.request, LONGEST_TEXT),
            explanation=sanitised(self.explanation, LONGEST_TEXT),
            verdicts=tuple(replace(one, reason=sanitised(one.reason, LONGEST_TEXT)) for one in self.verdicts),
            cases=tuple(one.sanitised() for one in self.cases),
        )


def _encodable(text: str) -> str:
    """A lone surrogate could be written, and not be read again."""
    return text.encode(errors="replace").decode()
