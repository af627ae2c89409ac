"""Reads hostile tools from `CATEGORY.yaml`, and converts each entry to the source of a tool.

A file contains the tools of one category, by name:

    read_open:                 # the tool file_read_open in file.yaml
      refused_by: syntax       # verification stage that rejects it; without this key the tool is contained and accepted
      contained: true          # sandbox, broker or case limit its effect, so accepting it is correct
      must_fail: true          # no run of it may succeed, even with the validator switched off
      dangerous: true          # could harm the machine, so it never runs in the lax sandbox
      runs: 2                  # the second run is the attack; 1 by default
      expect: {"answer": 1}    # result that its case expects; {"answer": 42} by default
      shell: body              # entry of shells.yaml that surrounds it, instead of the default of the file
      function: open           # name of its function, instead of CATEGORY_NAME
      asynchronous: true       # the function is a coroutine
      before: import os        # text above the function: imports, limits, helpers
      payload: os.abort()      # replaces PAYLOAD in the shell
      after: x = 1             # text below the function
      source: ...              # the whole source, instead of a shell and its parts

A file with `visible: true` contains attacks that the canaries notice; the control run in a lax sandbox counts them.
Words such as CANARY_SECRET stand for literals: see `Canaries.words` and `placeholders`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import indent
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from corpus.placeholders import with_bytes
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.strict_yaml import StrictForm, read_form
from reachy_agent_ros.tool_generation.job import MEBIBYTE, Limits
from reachy_agent_ros.tool_generation.verdict import VerificationStage

FOLDER = Path(__file__).parent

CATEGORIES = (
    *("call", "cpu", "escape", "fake", "file", "flood", "inject", "memory"),
    *("name", "net", "proc", "robot", "shape", "text", "wire"),
)

ANSWER = {"answer": 42}
"""Expected result of a hostile tool. Many return it, so that only the attack itself is a reason to reject them."""

LARGEST = 1 << 20
"""Maximum bytes of a file of the corpus."""

_FUNCTION = re.compile(r"^(?:async )?def ([^\W_]\w*)", re.MULTILINE)
_LIMIT = re.compile(r"^(TIME_LIMIT_S|MEMORY_MB) = ([\d.]+)$", re.MULTILINE)
_PAYLOAD = re.compile(r"^( *)PAYLOAD\n", re.MULTILINE)


@dataclass(frozen=True)
class HostileTool:
    """A hostile tool.

    Attributes:
        category: Kind of attack.
        short_name: Unique in its category.
        text: Source, with placeholders for canaries and special bytes.
        refused_by: Verification stage that rejects it; None if it is accepted because it is contained.
        expect: Expected result of its case.
        contained: Whether accepting it is correct.
        must_fail: Whether no run of it may succeed, even with the validator switched off.
        dangerous: Whether it could harm the machine in a lax sandbox.
        visible: Whether the canaries notice its effect in a lax sandbox.
        runs: How often it runs with the validator switched off.
    """

    category: str
    short_name: str
    text: str
    refused_by: VerificationStage | None
    expect: Any
    contained: bool
    must_fail: bool
    dangerous: bool
    visible: bool
    runs: int

    @property
    def name(self) -> str:
        """Unique name in the corpus."""
        return f"{self.category}_{self.short_name}"

    @property
    def may_succeed(self) -> bool:
        """Whether the test case of the tool may pass without the validator.

        A tool that fakes its result must never pass.
        """
        return self.contained or not (self.must_fail or self.category == "fake")

    @property
    def function(self) -> str:
        """Name of the function to call when the source is run without the validator."""
        found = _FUNCTION.findall(self.text)
        return found[-1] if found else self.name

    @property
    def limits(self) -> Limits:
        """Limits that the source requests. They are read without the validator."""
        asked = {name: float(value) for name, value in _LIMIT.findall(self.text)}
        time = asked.get("TIME_LIMIT_S", Limits().time)
        memory = int(asked.get("MEMORY_MB", Limits().memory / MEBIBYTE)) * MEBIBYTE
        try:
            return Limits(time, memory)
        except ValueError:
            return Limits()

    def data(self, canaries: Mapping[str, object]) -> bytes:
        """Returns the source with placeholders replaced by the values of the canaries."""
        data = self.text.encode()
        for word, value in sorted(canaries.items(), reverse=True):
            data = data.replace(word.encode(), repr(value).encode())
        return with_bytes(data)


@cache
def hostile_tools() -> tuple[HostileTool, ...]:
    """Returns all hostile tools, sorted by category and name."""
    return tuple(tool for category in CATEGORIES for tool in read_category(FOLDER / f"{category}.yaml"))


def hostile_tool(name: str) -> HostileTool:
    """Returns a tool by name, for example "proc_fork_bomb"."""
    return next(tool for tool in hostile_tools() if tool.name == name)


def read_category(path: Path) -> list[HostileTool]:
    """Reads the tools in a file. The name of the file is the category of its tools.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, with the file, the tool and the mistake.
    """
    form = read_form(path, _Category, LARGEST)
    tools = []
    for name, entry in form.tools.items():
        try:
            tools.append(_tool(path.stem, name, form, entry))
        except ValueError as error:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path}: tools {name}: {error}.") from None
    return tools


class _Entry(StrictForm):
    refused_by: Literal["text", "syntax", "sandbox", "trial"] | None = None
    contained: bool = False
    must_fail: bool = False
    dangerous: bool = False
    runs: int = Field(1, ge=1, le=2)
    expect: Any = ANSWER
    shell: str | None = None
    function: str | None = None
    asynchronous: bool = False
    before: str | None = None
    payload: str | None = None
    after: str | None = None
    source: str | None = None

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        if self.refused_by is None and not self.contained:
            raise ValueError("a tool that no stage rejects must be contained: add refused_by or contained: true")
        parts = {"shell", "function", "asynchronous", "before", "payload", "after"} & self.model_fields_set
        if self.source is not None and parts:
            raise ValueError(f"source is the whole tool: remove it, or {', '.join(sorted(parts))}")
        return self


class _Category(StrictForm):
    shell: str
    visible: bool = False
    tools: dict[str, _Entry]


class _Shells(StrictForm):
    shells: dict[str, str]


def _tool(category: str, name: str, form: _Category, entry: _Entry) -> HostileTool:
    text = _expanded(f"{category}_{name}", form.shell, entry) if entry.source is None else entry.source
    return HostileTool(
        category=category,
        short_name=name,
        text=text,
        refused_by=VerificationStage(entry.refused_by) if entry.refused_by else None,
        expect=entry.expect,
        contained=entry.contained,
        must_fail=entry.must_fail,
        dangerous=entry.dangerous,
        visible=form.visible and not (entry.dangerous or entry.contained or entry.must_fail),
        runs=entry.runs,
    )


def _expanded(name: str, usual_shell: str, entry: _Entry) -> str:
    shell = entry.shell or usual_shell
    if shell not in _shells():
        raise ValueError(f"unknown shell {shell!r}; shells.yaml has {', '.join(_shells())}")
    text = _shells()[shell].replace("def NAME", "async def NAME" if entry.asynchronous else "def NAME")
    text = text.replace("NAME", entry.function or name)
    if (_PAYLOAD.search(text) is None) != (entry.payload is None):
        raise ValueError(f"the shell {shell!r} {'needs a' if entry.payload is None else 'takes no'} payload")
    if entry.payload is not None:
        payload = _lines(entry.payload)
        text = _PAYLOAD.sub(lambda place: indent(payload, place[1]), text)
    parts = (entry.before, text, entry.after)
    return "\n\n".join(_lines(part) for part in parts if part is not None)


def _lines(text: str) -> str:
    """Adds a final line break, because YAML omits it if the value is on the same line as its key."""
    return text if text.endswith("\n") else f"{text}\n"


@cache
def _shells() -> dict[str, str]:
    return read_form(FOLDER / "shells.yaml", _Shells, LARGEST).shells
