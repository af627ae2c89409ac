"""Programs as the validator would give them, for tests of what happens to them afterwards."""

from __future__ import annotations

from reachy_agent_ros.tool_generation.job import Need
from reachy_agent_ros.tool_generation.program import Parameter, Program
from reachy_agent_ros.tool_generation.registry.version import CaseRecord, Record
from reachy_agent_ros.tool_generation.verdict import Stage, Verdict

PROVEN = (Verdict(Stage.TEXT, True), Verdict(Stage.SYNTAX, True), Verdict(Stage.SANDBOX, True, "2 cases", 0.5))


def program(name: str = "double_it", factor: int = 2, needs: frozenset[Need] = frozenset()) -> Program:
    """A tool that multiplies."""
    source = (
        f"def {name}(number: float) -> dict:\n"
        f'    """Multiplies a number by {factor}.\n\n'
        '    Args:\n        number: Any number.\n\n    Returns:\n        The product.\n    """\n'
        f'    return {{"product": number * {factor}}}\n'
    )
    parameter = Parameter("number", float, "Any number.")
    return Program(source, name, f"Multiplies a number by {factor}.", (parameter,), needs=needs)


def record(needs_review: bool = False, explanation: str = "It multiplies.") -> Record:
    """Of a tool that was proven."""
    case = CaseRecord('{"number": 2.0}', '{"product": 4.0}', result='{"product": 4.0}')
    return Record("model tiny", "Double numbers for me.", explanation, PROVEN, (case,), needs_review)
