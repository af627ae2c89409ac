import importlib.util
import re
from pathlib import Path

import pytest

from reachy_agent_ros import bringup
from reachy_agent_ros.core.errors import AgentError, ErrorCode

ROOT = Path(__file__).parents[1]
DEFAULTS = bringup.resolve({})


@pytest.mark.parametrize("node", bringup.NODES, ids=lambda node: node.name)
def test_node_has_module_and_executable(node):
    assert importlib.util.find_spec(node.module) is not None
    assert f'"{node.name}"' in (ROOT / "setup.py").read_text()


@pytest.mark.parametrize("node", bringup.NODES, ids=lambda node: node.name)
def test_node_declares_all_configured_parameters(node):
    declared = set(re.findall(r"""\.(?:parameter|folder)\(\s*["'](\w+)["']""", source_of(node.module)))
    assert set(node.parameters(DEFAULTS)) <= declared


def source_of(module: str) -> str:
    """Returns the source of a node and of the node parts that it imports."""
    source = Path(importlib.util.find_spec(module).origin).read_text()
    parts = re.findall(r"^from (reachy_agent_ros\.ros\.[\w.]+) import", source, re.MULTILINE)
    return source + "".join(Path(importlib.util.find_spec(part).origin).read_text() for part in parts)


def test_defaults_are_choices():
    for argument in bringup.declared_arguments():
        assert not argument.choices or argument.default in argument.choices


def test_selects_all_nodes_by_default():
    assert [node.name for node in bringup.selected(DEFAULTS)] == bringup.node_names()


def test_selected_nodes_keep_start_order():
    chosen = bringup.selected({**DEFAULTS, "nodes": "agent, hardware_bridge"})
    assert [node.name for node in chosen] == ["hardware_bridge", "agent"]


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"robott": "mujoco"}, "Unknown argument 'robott'"),
        ({"robot": "dog"}, "expected mujoco or daemon"),
        ({"nodes": "agent,nobody"}, "Unknown node nobody"),
        ({"nodes": ""}, "Unknown node"),
        ({"namespace": "no slash"}, "namespace"),
        ({"namespace": "/a/"}, "namespace"),
        ({"feedback_database": "postgresql://robot:hunter2@db/feedback"}, "feedback_database contains a password"),
    ],
)
def test_rejects_invalid_argument(given, complaint):
    with pytest.raises(AgentError, match=complaint) as refusal:
        bringup.resolve(given)
    assert refusal.value.code is ErrorCode.INVALID_ARGUMENTS


def test_state_directory_is_configurable():
    arguments = bringup.resolve({"state_directory": "/somewhere"})
    agent = next(node for node in bringup.NODES if node.name == "agent")
    assert agent.parameters(arguments)["directory"] == "/somewhere"


@pytest.mark.parametrize("name", ["feedback", "trainer", "gateway"])
def test_nodes_that_read_feedback_use_the_same_database(name):
    given = bringup.resolve({"feedback_database": "postgresql://robot@db/feedback"})
    (node,) = [node for node in bringup.NODES if node.name == name]
    assert node.parameters(given)["database"] == "postgresql://robot@db/feedback"
