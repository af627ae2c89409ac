"""Tool calls that a sentence requests.

Arguments in `FREE` may have any value if the sentence does not specify them.

The notation and the rules for comparison are at the top of `reflex_sentences.tsv`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from evaluation.understanding.expected_arguments import Span, Words, alternatives
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.tools.predefined import predefined_tools
from reachy_agent_ros.tools.tool import ToolSpecification

FREE = frozenset({"duration_s", "intensity", "question", "prompt"})
"""Arguments that may have any value if the sentence does not specify them: pace, size and wording."""

Arguments = Mapping[str, Any]
Call = tuple[str, Arguments]
"""Name of a tool and its arguments, as printed by `reachy-agent intent`."""

_CALL = re.compile(r"(\w+)\((.*)\)")


@dataclass(frozen=True)
class ExpectedCall:
    """Expected tool call. An argument may accept any value.

    Attributes:
        tool: Name of the tool.
        arguments: Accepted values of each argument; None accepts any value.
    """

    tool: str
    arguments: Mapping[str, tuple[Span | Words, ...] | None]

    @staticmethod
    def parse(text: str) -> ExpectedCall:
        """Parses the notation of an expected call.

        Raises:
            ValueError: The text is not a call, names an unknown tool, argument or value, or lacks a required argument.
        """
        match = _CALL.fullmatch(text.strip())
        if match is None:
            raise ValueError(f"{text.strip()!r} is not a call")
        tool, inside = match.groups()
        pairs = [part.partition("=") for part in inside.split(",") if part]
        call = ExpectedCall(tool, {name.strip(): alternatives(name.strip(), value) for name, _, value in pairs})
        call._check()
        return call

    def admits(self, call: Call) -> bool:
        """Returns whether a call matches the expected call."""
        tool, arguments = call
        if tool != self.tool:
            return False
        try:
            complete = tools()[tool].parse(json.dumps(dict(arguments))).model_dump()
        except AgentError:
            return False
        return all(self._fits(name, value) for name, value in complete.items())

    def _fits(self, name: str, value: object) -> bool:
        if name not in self.arguments:
            return name in FREE or value == tools()[self.tool].arguments.model_fields[name].default
        values = self.arguments[name]
        if value is None and name in ("right_deg", "left_deg"):
            value = 0.0  # the authors expect an antenna that a sentence does not name to be upright
        return values is None or any(expected.admits(value) for expected in values)

    def _check(self) -> None:
        if self.tool not in tools():
            raise ValueError(f"there is no tool {self.tool!r}")
        fields = tools()[self.tool].arguments.model_fields
        for name, values in self.arguments.items():
            if name not in fields:
                raise ValueError(f"{self.tool} has no argument {name!r}")
            for example in (example for expected in values or () for example in expected.examples()):
                if not _takes(fields[name], example):
                    raise ValueError(f"{self.tool} does not take {name}={example}")
        missing = [n for n, f in fields.items() if f.is_required() and n not in self.arguments and n not in FREE]
        if missing:
            raise ValueError(f"{self.tool} needs {', '.join(missing)}")


@cache
def tools() -> dict[str, ToolSpecification[Any]]:
    """Returns the predefined tools by name, with all available emotions and dances."""
    every = predefined_tools(Path(), emotions(), dances())
    return {tool.specification.name: tool.specification for tool in every}


def merged(calls: Sequence[Call]) -> Iterator[Call]:
    """Merges consecutive repetitions of a call into one call with a count."""
    for (tool, once), same in groupby(calls, key=_once):
        if tool in tools() and "repetitions" in tools()[tool].arguments.model_fields:
            yield tool, {**once, "repetitions": sum(arguments.get("repetitions", 1) for _, arguments in same)}
        else:
            yield from same


def _once(call: Call) -> Call:
    tool, arguments = call
    return tool, {name: value for name, value in arguments.items() if name != "repetitions"}


def _takes(field: FieldInfo, value: object) -> bool:
    annotated: Any = Annotated[field.annotation, field]
    try:
        TypeAdapter(annotated).validate_python(value, strict=True)
    except ValidationError:
        return False
    return True
