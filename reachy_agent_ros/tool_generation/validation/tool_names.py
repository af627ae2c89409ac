"""Names that a new tool may have: none that is taken, imitates a taken one, or means something to Python."""

from __future__ import annotations

import builtins
import keyword
import re
import sys
from collections.abc import Collection

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.validation.imports import MODULES, PREDECLARED

_NAME = re.compile(r"[a-z][a-z0-9_]{2,40}", re.ASCII)

_DIGITS = str.maketrans("013457", "oleast")
"""Digits by the letters that they resemble."""

_MODULES = frozenset(module.partition(".")[0] for module in MODULES) | sys.stdlib_module_names
_RESERVED = frozenset((*keyword.kwlist, *keyword.softkwlist, *dir(builtins))) | _MODULES


def require_free_name(name: str, taken: Collection[str]) -> None:
    """Refuses a name that a new tool may not have.

    Args:
        name: Of the tool, and so of its function.
        taken: Names of the tools there are; those that may be imitated too.

    Raises:
        AgentError: `VALIDATION_FAILED`, with what is allowed.
    """
    if not _NAME.fullmatch(name):
        rule = "a name has 3 to 41 characters of a to z, 0 to 9 and _, the first a letter"
        raise AgentError(ErrorCode.VALIDATION_FAILED, f"{name!a:.80} is no name of a tool; {rule}")
    if name in _RESERVED:
        raise AgentError(ErrorCode.VALIDATION_FAILED, f"{name} means something to Python; choose another name")
    for other in (*taken, *sorted(PREDECLARED)):
        if other == name:
            raise AgentError(ErrorCode.VALIDATION_FAILED, f"there is a tool {name} already; choose another name")
        if skeleton(other) == skeleton(name):
            message = f"{name} looks like the tool {other:.80}; choose a name that nobody takes for it"
            raise AgentError(ErrorCode.VALIDATION_FAILED, message)


def skeleton(name: str) -> str:
    """What is left of a name when it is read carelessly: names with equal skeletons are taken for one another.

    Digits among letters count as the letters they resemble, i as l, m as rn, w as vv; doubled letters count once and
    underscores not at all. A number that is a word of its own stays, so that `step_1` and `step_11` differ. After the
    skeletons of Unicode Technical Standard 39, for the characters a name may have.
    """
    words = name.casefold().split("_")
    letters = "".join(word if word.isdigit() else word.translate(_DIGITS) for word in words)
    return _single(_single(letters).replace("m", "rn").replace("w", "v").replace("i", "l"))


def _single(letters: str) -> str:
    return re.sub(r"([a-z])\1+", r"\1", letters)
