"""Tool sources for the tests of the validator."""

from collections.abc import Collection
from textwrap import indent

import pytest

from reachy_agent_ros.tool_generation.validation.examination import examine
from reachy_agent_ros.tool_generation.validation.program import Program, program_of
from reachy_agent_ros.tool_generation.verdict import SourceRejectedError
from support import TEST

HONEST = (TEST / "tool_generation/validation/honest_tools.txt").read_text().split("=====\n")
"""Harmless tools as models and people write them, including the two examples of the specification."""

IMPORTS = """\
import asyncio, cv2, datetime, functools, json, math, operator, random, re, requests, string, typing
import numpy as np
from reachy_mini import ReachyMini
_HALF = math.pi / 2
_PAIR = (-1, 2 ** 10)
"""


def tool(body: str, before: str = IMPORTS) -> str:
    """Returns the source of a tool with the given function body and module-level code."""
    head = 'async def probe(x: str = "") -> dict:\n    """Do it."""\n'
    return f"{before}\n\n{head}{indent(body, '    ')}\n    return {{}}\n"


def validate(source: str, taken: Collection[str] = ()) -> Program:
    """Validates a source in this process. `read_program` uses a separate process."""
    return program_of(source, examine(source, taken))


def complaint(source: str, *taken: str) -> str:
    """Returns the error message with which the validator rejects a source."""
    with pytest.raises(SourceRejectedError) as caught:
        validate(source, taken)
    return caught.value.message
