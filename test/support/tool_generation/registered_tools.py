"""Validated programs and version records, for tests of the tool registry and of later stages."""

from __future__ import annotations

from reachy_agent_ros.tool_generation.job import Need
from reachy_agent_ros.tool_generation.registry.version import CaseRecord, VersionRecord
from reachy_agent_ros.tool_generation.validation.program import Parameter, Program
from reachy_agent_ros.tool_generation.verdict import Verdict, VerificationStage

PROVEN = (
    Verdict(VerificationStage.TEXT, True),
    Verdict(VerificationStage.SYNTAX, True),
    Verdict(VerificationStage.SANDBOX, True, "2 cases", 0.5),
)


def program(name: str = "double_it", factor: int = 2, needs: frozenset[Need] = frozenset()) -> Program:
    """Returns a tool that multiplies a number by a factor."""
    source = (
        f"def {name}(number: float) -> dict:\n"
        f'    """Multiplies a number by {factor}.\n\n'
        '    Args:\n        number: Any number.\n\n    Returns:\n        The product.\n    """\n'
        f'    return {{"product": number * {factor}}}\n'
    )
    parameter = Parameter("number", float, "Any number.")
    return Program(source, name, f"Multiplies a number by {factor}.", (parameter,), needs=needs)


def record(needs_review: bool = False, explanation: str = "It multiplies.") -> VersionRecord:
    """Returns the version record of a verified tool."""
    case = CaseRecord('{"number": 2.0}', '{"product": 4.0}', result='{"product": 4.0}')
    return VersionRecord("model tiny", "Double numbers for me.", explanation, PROVEN, (case,), needs_review)
