import importlib.util
from pathlib import Path

import pytest

from reachy_agent_ros import bringup
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.settings.declarations import declared
from reachy_agent_ros.settings.nodes import NODE_PARAMETERS
from reachy_agent_ros.settings.parameter import as_text

ROOT = Path(__file__).parents[1]
DEFAULTS = bringup.resolve({})


@pytest.mark.parametrize("node", bringup.NODES, ids=lambda node: node.name)
def test_node_has_module_and_executable(node):
    assert importlib.util.find_spec(node.module) is not None
    assert f'"{node.name}"' in (ROOT / "setup.py").read_text()


@pytest.mark.parametrize("node", bringup.NODES, ids=lambda node: node.name)
def test_arguments_set_declared_parameters(node):
    assert set(bringup.arguments_of(node.name)) <= set(NODE_PARAMETERS[node.name])


def test_arguments_of_node_are_grouped_by_parameter():
    assert bringup.arguments_of("vision")["model_name"] == ["model_name", "vision_model_name"]


@pytest.mark.parametrize("name", [name for name in declared() if "." in name])
def test_every_node_parameter_can_be_set_by_its_own_name(name):
    parameter, (node_name, _, own) = declared()[name], name.partition(".")
    text = another(parameter)
    (node,) = [one for one in bringup.NODES if one.name == node_name]
    assert bringup.node_parameters(node, bringup.resolve({name: text}))[own] == parameter.parse(text)


def another(parameter):
    """Returns a valid value of an argument, as text, that differs from the default."""
    match parameter.default:
        case bool():
            return as_text(not parameter.default)
        case int():
            return as_text(int(parameter.low) if parameter.default != parameter.low else int(parameter.high))
        case float():
            return as_text(parameter.low if parameter.default != parameter.low else parameter.high)
    return next((choice for choice in parameter.choices if choice != parameter.default), "another")


def test_parameter_set_by_own_name_overrides_argument():
    (node,) = [one for one in bringup.NODES if one.name == "tts"]
    arguments = bringup.resolve({"audio_sink": "file", "tts.sink": "speaker"})
    assert bringup.node_parameters(node, arguments)["sink"] == "speaker"
    assert bringup.node_parameters(node, bringup.resolve({"audio_sink": "file"}))["sink"] == "file"


def test_graph_contains_all_nodes_by_default():
    assert [node.name for node in bringup.selected(DEFAULTS)] == bringup.node_names()


def test_selected_nodes_keep_start_order():
    chosen = bringup.selected({**DEFAULTS, "nodes": "agent, hardware_bridge"})
    assert [node.name for node in chosen] == ["hardware_bridge", "agent"]


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"robott": "mujoco"}, "Unknown setting 'robott'. Did you mean robot?"),
        ({"tts.volum": "1"}, "Did you mean tts.volume?"),
        ({"volume": "1"}, "Did you mean tts.volume?"),
        ({"tts.volume": "1.5"}, "Invalid tts.volume 1.5: expected a number from 0 to 1"),
        ({"gateway_port": "99999"}, "Invalid gateway_port 99999: expected an integer from 0 to 65535"),
        ({"gateway_port": "web"}, "Invalid gateway_port 'web'"),
        ({"robot": "dog"}, "expected mujoco or daemon"),
        ({"nodes": "agent,nobody"}, "Unknown node nobody"),
        ({"nodes": ""}, "Unknown node"),
        ({"namespace": "no slash"}, "namespace"),
        ({"namespace": "/a/"}, "namespace"),
        ({"feedback_database": "postgresql://robot:hunter2@db/feedback"}, "feedback_database contains a password"),
    ],
)
def test_rejects_invalid_graph_argument(given, complaint):
    with pytest.raises(AgentError, match=complaint) as refusal:
        bringup.resolve(given)
    assert refusal.value.code is ErrorCode.INVALID_ARGUMENTS


def test_agent_uses_configured_state_directory():
    arguments = bringup.resolve({"state_directory": "/somewhere"})
    agent = next(node for node in bringup.NODES if node.name == "agent")
    assert agent.parameters(arguments)["directory"] == "/somewhere"


@pytest.mark.parametrize("name", ["feedback", "trainer", "gateway"])
def test_nodes_that_read_feedback_use_same_database(name):
    given = bringup.resolve({"feedback_database": "postgresql://robot@db/feedback"})
    (node,) = [node for node in bringup.NODES if node.name == name]
    assert node.parameters(given)["database"] == "postgresql://robot@db/feedback"
