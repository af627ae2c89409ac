"""Launch arguments that set a node's parameters."""

from __future__ import annotations

from reachy_agent_ros.bringup import NODES, declared_arguments

_OTHER = "1"
"""Value that differs from every default and is valid as a number."""


def setters(node: str) -> dict[str, list[str]]:
    """Returns the launch arguments that change each parameter of a node, by the parameter's name."""
    (specification,) = [one for one in NODES if one.name == node]
    defaults = {argument.name: argument.default for argument in declared_arguments()}
    usual = specification.parameters(defaults)
    found: dict[str, list[str]] = {name: [] for name in usual}
    for argument in defaults:
        changed = specification.parameters({**defaults, argument: _OTHER})
        for name, value in changed.items():
            if value != usual[name]:
                found[name].append(argument)
    return found
