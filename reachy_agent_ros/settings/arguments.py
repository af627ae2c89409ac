"""Arguments of the graph, in the form `name:=value` of ROS launch files.

An argument sets one or more node parameters; `bringup.NODES` maps them. It takes its type, range, choices, default and
description from the parameter that it refers to.
"""

from __future__ import annotations

from dataclasses import replace

from reachy_agent_ros.core import names, paths
from reachy_agent_ros.settings.nodes import NODE_PARAMETERS
from reachy_agent_ros.settings.parameter import Parameter


def declared_arguments() -> tuple[Parameter, ...]:
    """Returns the arguments of the graph. The default of the state directory depends on the environment."""
    return (*_ARGUMENTS, Parameter("state_directory", str(paths.state_directory()), _STATE))


def _sets(full_name: str, name: str = "", description: str = "") -> Parameter:
    """Returns the graph argument that determines a node parameter.

    Args:
        full_name: Name of the parameter with its node.
        name: Name of the argument; empty for the parameter's name.
        description: Description, if an empty argument means something other than an empty parameter.
    """
    node, _, own = full_name.partition(".")
    parameter = NODE_PARAMETERS[node][own]
    # Arguments only take effect when a node starts, so none can be changed later.
    return replace(parameter, name=name or own, description=description or parameter.description, changes_live=False)


_STATE = "Folder for conversations, memory, tools, policies, tokens, rules, the audit log and photos"
_ARGUMENTS = (
    _sets("hardware_bridge.robot"),
    _sets("camera.scene"),
    _sets("hardware_bridge.objects"),
    _sets("camera.panel_image"),
    _sets("hardware_bridge.daemon_url"),
    _sets("agent.model_endpoint"),
    _sets("agent.model_name"),
    _sets("vision.model_name", "vision_model_name", "Model for questions about images; empty: the language model"),
    _sets("vision.detector"),
    _sets("vision.eye_mounting"),
    _sets("camera.device", "camera_device"),
    Parameter("nodes", "all", f"Nodes to start: all, or a comma-separated list of {', '.join(NODE_PARAMETERS)}"),
    Parameter(
        "namespace",
        names.NAMESPACE,
        "ROS namespace of the robot; a second robot needs another one and its own state_directory",
    ),
    Parameter(
        "transport",
        "loopback",
        "Programs that may join the graph: those on this machine (loopback), or any program on the network, which "
        "can then command the robot (network)",
        choices=("loopback", "network"),
    ),
    _sets("stt.source", "audio_source"),
    _sets("tts.sink", "audio_sink"),
    _sets("stt.duplex"),
    _sets("stt.model", "speech_model"),
    _sets("stt.language"),
    _sets("tts.voice_path", "voice"),
    _sets("tts.voices_path", "voices"),
    _sets("agent.robot_name"),
    _sets("agent.attention"),
    _sets("agent.early_commitment"),
    _sets("agent.plan_review"),
    _sets("tool_server.tool_review"),
    _sets("tool_server.fetch_hosts"),
    _sets("agent.web_search"),
    _sets("agent.searxng_url"),
    _sets("gateway.host", "gateway_host"),
    _sets("gateway.port", "gateway_port"),
    _sets("gateway.tokens", "gateway_tokens"),
    _sets("gateway.certificate", "gateway_certificate"),
    _sets("gateway.key", "gateway_key"),
    _sets("gateway.encryption", "gateway_encryption"),
    _sets("gateway.origins", "gateway_origins"),
    _sets("gateway.rate", "gateway_rate"),
    _sets("feedback.database", "feedback_database"),
    _sets("trainer.viewpoint"),
)
