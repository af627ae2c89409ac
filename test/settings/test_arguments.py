"""Tests that the arguments of a graph match the node parameters that they set."""

from __future__ import annotations

import pytest

from reachy_agent_ros import bringup
from reachy_agent_ros.settings.arguments import declared_arguments
from reachy_agent_ros.settings.nodes import NODE_PARAMETERS
from reachy_agent_ros.settings.parameter import Parameter

ARGUMENTS = {argument.name: argument for argument in declared_arguments()}
PAIRS = [
    (f"{node}.{parameter}", argument)
    for node in bringup.node_names()
    for parameter, arguments in bringup.arguments_of(node).items()
    for argument in arguments
]


def facts(setting: Parameter) -> tuple[object, ...]:
    return setting.type, setting.unit, setting.low, setting.high, setting.choices


@pytest.mark.parametrize(("parameter", "argument"), PAIRS)
def test_argument_has_type_and_range_of_its_parameter(parameter: str, argument: str) -> None:
    node, _, name = parameter.partition(".")
    assert facts(ARGUMENTS[argument]) == facts(NODE_PARAMETERS[node][name])


def test_change_of_argument_takes_effect_at_next_start() -> None:
    assert not any(argument.changes_live for argument in ARGUMENTS.values())


def test_description_of_vision_model_argument_names_fallback() -> None:
    assert "empty: the language model" in ARGUMENTS["vision_model_name"].description
