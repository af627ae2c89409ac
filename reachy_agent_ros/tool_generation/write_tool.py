"""Tools with which a model writes other tools, and the reference manual that the model reads."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import Field

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.tool_generation.generator import Submission, ToolGenerator
from reachy_agent_ros.tool_generation.registry.manifest import Manifest
from reachy_agent_ros.tool_generation.registry.version import MODEL
from reachy_agent_ros.tool_generation.verification.case import MOST, read_cases
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.tool import Tool, ToolSpecification

_TEXTS = r'"""(?:\\.|[^\\])*?"""|\'\'\'(?:\\.|[^\\])*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
_PARTS = re.compile(rf"(?P<kept>{_TEXTS}|#[^\n]*)|\\n", re.DOTALL)

PROVING_TIME = 120.0
"""Seconds that a model waits for a verification: twenty cases of a slow tool."""

_DESCRIPTION = (
    "Makes a new tool of the robot, or a new version of one that was made before, from its Python source: it is read, "
    "run in a sandbox with the given cases, and rehearsed on a simulated twin.\n\n"
)

_WHOLE = {
    "source": "import math\n\n\ndef long_side(a_mm: float, b_mm: float) -> dict:\n"
    '    """Works out the longest side of a right triangle.\n\n'
    "    Args:\n        a_mm: One of the others, above 0.\n        b_mm: The other, above 0.\n\n"
    '    Returns:\n        side_mm: how long it is.\n    """\n'
    "    if a_mm <= 0 or b_mm <= 0:\n        raise ValueError('a_mm and b_mm are above 0')\n"
    "    return {'side_mm': math.hypot(a_mm, b_mm)}\n",
    "explanation": "It computes, and does nothing else.",
    "cases": [
        {"args": {"a_mm": 3, "b_mm": 4}, "expect": {"side_mm": 5}},
        {"args": {"a_mm": 0, "b_mm": 4}, "raises": "ValueError"},
    ],
}
_CALL = f"The arguments of a whole call, in which each line break of the source is one \\n:\n\n{json.dumps(_WHOLE)}"
"""Small models can write Python and JSON, but need an example of one inside the other."""


def writing_tools(toolsmith: ToolGenerator) -> list[Tool]:
    """Returns the tools `write_tool` and `read_tool`."""
    return [_write_tool(toolsmith), _read_tool(toolsmith)]


@cache
def reference() -> str:
    """Returns the reference manual for writing tools, as Markdown."""
    return _text("reference.md")


@cache
def examples() -> str:
    """Returns complete examples of tools with their test cases, as Markdown."""
    return _text("examples.md")


def with_line_breaks(source: str) -> str:
    r"""Replaces each `\n` that is written as a backslash and a letter with a line break.

    Strings and comments do not change. Outside of them, these two characters are not valid Python, so they can mean
    nothing else. Small models write them, and repeat the mistake after a complaint.
    """
    return _PARTS.sub(lambda part: part["kept"] or "\n", source)


class CaseArguments(ToolArguments):
    """A test case of the tool."""

    args: dict[str, Any] = Field(description="arguments by the names of the parameters, {} if there are none")
    expect: Any = Field(None, description="what the result has at least; leave it out where you are not sure of it")
    raises: str | None = Field(None, description="only for wrong args: exception that comes, such as ValueError")


class WriteToolArguments(ToolArguments):
    """Arguments of `write_tool`."""

    source: str = Field(
        description="the whole Python source and nothing else: imports, then `def name(what: type) -> dict:` with a "
        "docstring that has Args: and Returns:, checks of its arguments, and `return {...}` at the end; nothing after "
        "the function, neither calls nor prints: those are the cases"
    )
    explanation: str = Field(description="what the tool is for and why it is safe, in one or two sentences")
    cases: list[CaseArguments] = Field(
        default_factory=list, max_length=MOST, description="two to five calls of it, with wrong arguments among them"
    )
    request: str = Field("", description="what the person asked for, in their words")


class ReadToolArguments(ToolArguments):
    """Arguments of `read_tool`."""

    name: str = Field(description="of a tool that was made before")


def _text(name: str) -> str:
    return files("reachy_agent_ros.tool_generation").joinpath(name).read_text(encoding="utf-8")


def _write_tool(toolsmith: ToolGenerator) -> Tool:
    @ToolSpecification(
        name="write_tool",
        description=f"{_DESCRIPTION}{reference()}\n\n{examples()}\n\n{_CALL}",
        arguments=WriteToolArguments,
        time_limit=PROVING_TIME,
        specialist="code",
    ).implemented_by
    def run(arguments: WriteToolArguments, context: ToolContext) -> dict[str, Any]:
        cases = read_cases(json.dumps([one.model_dump(exclude_unset=True) for one in arguments.cases]))
        source = with_line_breaks(arguments.source)
        data = source.encode(errors="surrogatepass")  # the text gate rejects what is not text
        submission = Submission(data, cases, MODEL, arguments.request, arguments.explanation, asked_by=context.asked_by)
        made = toolsmith.submit(submission, context.cancel)
        return {
            "result": made.require(),
            "name": made.name,
            "version": made.version,
            "registered": not made.waiting,
            "waiting_for_review": made.waiting,
            "verdicts": [{"stage": one.stage, "ok": one.ok, "reason": one.reason} for one in made.proof.verdicts],
        }

    return run


def _read_tool(toolsmith: ToolGenerator) -> Tool:
    @ToolSpecification(
        name="read_tool",
        description="Reads the source of a tool that write_tool made, and how it failed, to explain or to repair it.",
        arguments=ReadToolArguments,
        time_limit=5.0,
        specialist="code",
        untrusted_output=True,
    ).implemented_by
    def run(arguments: ReadToolArguments, _context: ToolContext) -> dict[str, Any]:
        manifest = toolsmith.registry.get(arguments.name)
        failures = toolsmith.registry.usage(arguments.name).failures
        return {
            "name": manifest.name,
            "state": _state(manifest),
            "source": toolsmith.registry.source_of(arguments.name),
            "failures": [one.message for one in failures],
        }

    return run


def _state(manifest: Manifest) -> str:
    if manifest.disabled is not None:
        return f"disabled: {manifest.disabled.reason}"
    return f"version {manifest.active} runs" if manifest.active else "waits for a person's review"
