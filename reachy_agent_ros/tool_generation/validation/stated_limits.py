"""The limits that a tool states of itself, by two constants."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from reachy_agent_ros.tool_generation.limits import MEBIBYTE, Limits
from reachy_agent_ros.tool_generation.validation.literals import literal_value
from reachy_agent_ros.tool_generation.validation.rejection import Complaint

TIME_LIMIT = "TIME_LIMIT_S"
"""Constant that says how long a run may take, s."""

MEMORY_LIMIT = "MEMORY_MB"
"""Constant that says how much memory a run may take, MiB."""


def read_limits(constants: Mapping[str, ast.expr], complaints: list[Complaint]) -> Limits:
    """The stated limits, the usual ones where none are; what no tool may have goes to the complaints."""
    limits = Limits()
    for name in (TIME_LIMIT, MEMORY_LIMIT):
        if (node := constants.get(name)) is None:
            continue
        try:
            number = _number(node, constants)
            limits = (
                Limits(number, limits.memory) if name == TIME_LIMIT else Limits(limits.time, int(number * MEBIBYTE))
            )
        except ValueError as error:
            complaints.append(Complaint(node.lineno, f"{name}: {error}"))
    return limits


def _number(node: ast.expr, constants: Mapping[str, ast.expr]) -> float:
    value = literal_value(node, constants)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1e9:
        raise ValueError("it must be a plain number")
    return float(value)
