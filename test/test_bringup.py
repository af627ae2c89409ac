import importlib.util
import re
from pathlib import Path

import pytest

from reachy_agent_ros import bringup
from reachy_agent_ros.core.errors import AgentError, ErrorCode

ROOT = Path(__file__).parents[1]
DEFAULTS = bringup.resolve({})


@pytest.mark.parametrize("node", bringup.NODES, ids=lambda node: node.name)
def test_a_node_of_the_table_has_a_module_and_an_executable(node):
    assert importlib.util.find_spec(node.module) is not None
    assert f'"{node.name}"' in (ROOT / "setup.py").read_text()


@pytest.mark.parametrize("node", bringup.NODES, ids=lambda node: node.name)
def test_a_node_declares_every_parameter_that_the_table_sets(node):
    declared = set(re.findall(r"""\.(?:parameter|folder)\(\s*["'](\w+)["']""", source_of(node.module)))
    assert set(node.parameters(DEFAULTS)) <= declared


def source_of(module: str) -> str:
    """A node's source with that of the parts of nodes that it imports."""
    source = Path(importlib.util.find_spec(module).origin).read_text()
    parts = re.findall(r"^from (reachy_agent_ros\.ros\.[\w.]+) import", source, re.MULTILINE)
    return source + "".join(Path(importlib.util.find_spec(part).origin).read_text() for part in parts)


def test_defaults_are_choices():
    for argument in bringup.declared_arguments():
        assert not argument.choices or argument.default in argument.choices


def test_every_node_runs_unless_some_are_chosen():
    assert [node.name for node in bringup.selected(DEFAULTS)] == bringup.node_names()


def test_chosen_nodes_keep_the_order_of_the_table():
    chosen = bringup.selected({**DEFAULTS, "nodes": "agent, hardware_bridge"})
    assert [node.name for node in chosen] == ["hardware_bridge", "agent"]


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"robott": "mujoco"}, "No argument 'robott'"),
        ({"robot": "dog"}, "must be mujoco or daemon"),
        ({"nodes": "agent,nobody"}, "No node nobody"),
        ({"nodes": ""}, "No node"),
        ({"namespace": "no slash"}, "namespace"),
        ({"namespace": "/a/"}, "namespace"),
        ({"feedback_database": "postgresql://robot:hunter2@db/feedback"}, "feedback_database holds a password"),
    ],
)
def test_a_wrong_argument_is_refused_by_name(given, complaint):
    with pytest.raises(AgentError, match=complaint) as refusal:
        bringup.resolve(given)
    assert refusal.value.code is ErrorCode.INVALID_ARGUMENTS


def test_state_goes_where_the_argument_says():
    arguments = bringup.resolve({"state_directory": "/somewhere"})
    agent = next(node for node in bringup.NODES if node.name == "agent")
    assert agent.parameters(arguments)["directory"] == "/somewhere"
