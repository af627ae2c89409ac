"""Targets that check the source code of a tool before the tool runs."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

from corpus.honest_tools import honest_tools
from corpus.hostile_tools import hostile_tools
from fuzz.file_target import FileTarget
from fuzz.mutation.text_mutation import mutated_text
from reachy_agent_ros.tool_generation.validation.examination import examine
from reachy_agent_ros.tool_generation.validation.program import program_of
from reachy_agent_ros.tool_generation.validation.reader import SourceReader
from reachy_agent_ros.tool_generation.validation.text_gate import read_text
from reachy_agent_ros.tool_generation.verification.proof import read_proof

_WORDS = (
    *("import os\n", "from . import x\n", "import numpy as np\n", "from __future__ import annotations\n", "eval"),
    *("exec", "__class__", "__import__('os')", "globals()", "lambda:", "yield", "await ", "async ", "nonlocal x\n"),
    *("global x\n", "class A(B, metaclass=C): pass\n", "@x\n", "match x:\n    case _: pass\n", "type X = int\n"),
    *("x: int = 1\n", "*", "**", '"""', "'''", "f'{x!r:{y}}'", "b''", "r'\\'", "(x := 1)", "...", "->"),
    *(": 'list[int]'", "Literal['a']", "Optional[", "def ", "return ", "= [] * 10**9", "= 10**10**10"),
    *("TIME_LIMIT_S = 1e999\n", "MEMORY_MB = -1\n", "Args:", "    ", "try:\n    pass\nexcept* E:\n    pass\n"),
    *("with a as b, c as d: pass\n", "del x\n", "assert x\n", "raise X from Y\n", "0x", "1__0", "1e", "0b", "1j"),
    *("\\\n", "\x0c", ";", "#" * 300, "# coding: latin-1\n", "(" * 60, "-" * 30, "\u0430"),
)


@cache
def _samples() -> tuple[bytes, ...]:
    texts = [*(tool.source for tool in honest_tools()), *(tool.text for tool in hostile_tools())]
    return tuple(text.encode() for text in texts)


def tool_examination() -> FileTarget:
    """Returns a target that validates sources in this process, so that errors of the validator become visible."""
    return FileTarget("tool.py", _samples(), _mutated, _examine)


def tool_reading() -> FileTarget:
    """Returns a target that validates each source in a separate process, as in production."""
    reader = SourceReader()  # its child processes end with this process
    return FileTarget("tool.py", _samples(), _mutated, lambda path: read_proof(reader, path.read_bytes()))


def _mutated(sample: bytes, chance: random.Random) -> bytes:
    return mutated_text(sample.decode(errors="surrogateescape"), _WORDS, chance)


def _examine(path: Path) -> None:
    text = read_text(path.read_bytes())
    program_of(text, examine(text))
