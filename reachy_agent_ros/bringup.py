"""Definitions of the graph's nodes, and their ROS parameters, derived from the settings.

`launch/bringup.launch.py` creates launch actions from them; `reachy-agent up` supervises the same processes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.settings.arguments import declared_arguments
from reachy_agent_ros.settings.declarations import declaration
from reachy_agent_ros.settings.effective import Setting, effective
from reachy_agent_ros.settings.parameter import Value, as_text

Arguments = Mapping[str, str]
"""All graph arguments and all explicitly set node parameters, as strings by name. See `resolve`."""


@dataclass(frozen=True)
class NodeSpecification:
    """Definition of a ROS node. The node runs in a separate process, which is restarted after every exit.

    Attributes:
        name: Name of the node, its executable, and its module in `reachy_agent_ros.ros`.
        parameters: Returns the ROS parameters of the node for given arguments.
        nice: Scheduling niceness of the process. A negative value only has an effect if the system allows it.
        restart_delay: Time from the end of the process to its restart, s. Repeated failures may increase it.
    """

    name: str
    parameters: Callable[[Arguments], Mapping[str, str | int]]
    nice: int = 0
    restart_delay: float = 0.1

    @property
    def module(self) -> str:
        """Python module that runs the node, for `python -m`."""
        return f"reachy_agent_ros.ros.{self.name}.{self.name}"


def _body(arguments: Arguments) -> dict[str, str]:
    given = {name: arguments[name] for name in ("daemon_url", "objects")}
    return {**_eye(arguments), **given, "moves_directory": _folder(arguments, "moves")}


def _eye(arguments: Arguments) -> dict[str, str]:
    return {"robot": arguments["robot"], "scene": arguments["scene"]}


def _folder(arguments: Arguments, name: str) -> str:
    return f"{arguments['state_directory']}/{name}"


NODES = (
    NodeSpecification(names.HARDWARE_BRIDGE, _body, nice=-10),
    NodeSpecification(
        names.CAMERA,
        lambda given: {**_eye(given), "device": given["camera_device"], "panel_image": given["panel_image"]},
    ),
    NodeSpecification(
        names.VISION,
        lambda given: {
            "detector": given["detector"],
            "eye_mounting": given["eye_mounting"],
            "model_endpoint": given["model_endpoint"],
            "model_name": given["vision_model_name"] or given["model_name"],
        },
    ),
    NodeSpecification(
        names.TTS,
        lambda given: {
            "sink": given["audio_sink"],
            "daemon_url": given["daemon_url"],
            "directory": _folder(given, "speech"),
            "policies": _folder(given, "policies"),
            "voice_path": given["voice"],
            "voices_path": given["voices"],
        },
    ),
    NodeSpecification(
        names.STT,
        lambda given: {
            "source": given["audio_source"],
            "daemon_url": given["daemon_url"],
            "duplex": given["duplex"],
            "model": given["speech_model"],
            "language": given["language"],
        },
    ),
    # This node commands the robot. If its heartbeat is late on a busy machine, the bridge ends its motions.
    NodeSpecification(
        names.TOOL_SERVER,
        lambda given: {
            "directory": given["state_directory"],
            "photo_directory": _folder(given, "photos"),
            "tool_review": given["tool_review"],
            "fetch_hosts": given["fetch_hosts"],
        },
        nice=-5,
    ),
    NodeSpecification(
        names.FEEDBACK,
        lambda given: {"directory": given["state_directory"], "database": given["feedback_database"]},
    ),
    NodeSpecification(
        names.TRAINER,
        lambda given: {
            "directory": given["state_directory"],
            "database": given["feedback_database"],
            "viewpoint": given["viewpoint"],
        },
    ),
    NodeSpecification(
        names.AGENT,
        lambda given: {
            "model_endpoint": given["model_endpoint"],
            "model_name": given["model_name"],
            "directory": given["state_directory"],
            "web_search": given["web_search"],
            "searxng_url": given["searxng_url"],
            "plan_review": given["plan_review"],
            "robot_name": given["robot_name"],
            "attention": given["attention"],
            "early_commitment": given["early_commitment"] == "true",
        },
    ),
    NodeSpecification(
        names.GATEWAY,
        lambda given: {
            "directory": given["state_directory"],
            "database": given["feedback_database"],
            "port": int(given["gateway_port"]),
            **{
                name: given[f"gateway_{name}"]
                for name in ("host", "tokens", "encryption", "certificate", "key", "origins", "rate")
            },
        },
    ),
)
"""Nodes in start order, each after the nodes that it depends on. They stop in reverse order."""


_OTHER = "1"
"""String that differs from the default of every argument and is a valid number."""


def resolve(given: Mapping[str, str], file: Path | None = None) -> dict[str, str]:
    """Resolves the settings. Returns a map of names to values: all graph arguments and explicitly set node parameters.

    Args:
        given: Arguments and node parameters (such as `tts.volume`) from the command line.
        file: Settings file; None for the default one.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: unknown name, invalid value, missing file, an invalid ROS namespace, or an
            unknown node.
    """
    arguments = _texts(effective(given, file))
    if not re.fullmatch(r"(/[A-Za-z_]\w*)+", arguments["namespace"], re.ASCII):
        message = f"Invalid namespace {arguments['namespace']!r}: expected a name such as /reachy_mini."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    selected(arguments)
    return arguments


def node_parameters(node: NodeSpecification, arguments: Arguments) -> dict[str, Value]:
    """Returns the ROS parameters of a node. An explicitly set node parameter takes precedence over graph arguments.

    Args:
        node: The node.
        arguments: Result of `resolve`.
    """
    own = {
        name: declaration(full).parse(text)
        for full, text in arguments.items()
        for prefix, _, name in [full.partition(".")]
        if name and prefix == node.name
    }
    return {**node.parameters(arguments), **own}


def graph_settings(given: Mapping[str, str], file: Path | None = None) -> dict[str, Setting]:
    """Returns a map of all settings. Node parameters that are not set get their values from the graph arguments.

    Args:
        given: Settings from the command line, as strings.
        file: Settings file; None for the default one.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: unknown name, invalid value or missing file.
    """
    settings = effective(given, file)
    resolved = _texts(settings)
    for node in NODES:
        arguments = arguments_of(node.name)
        for name, value in node_parameters(node, resolved).items():
            one = settings[f"{node.name}.{name}"]
            if one.is_default and value != one.value:
                origin = f"argument {' or '.join(arguments[name])}"
                settings[f"{node.name}.{name}"] = Setting(one.declaration, value, origin)
    return settings


def parameters_of(name: str, arguments: Arguments) -> dict[str, Value]:
    """Returns the ROS parameters of the node with the given name. See `node_parameters`."""
    return node_parameters(_specification(name), arguments)


def arguments_of(node: str) -> dict[str, list[str]]:
    """Returns a map of a node's parameter names to the graph arguments that affect these parameters.

    Changes one argument at a time to find the affected parameters.
    """
    specification = _specification(node)
    defaults = {argument.name: as_text(argument.default) for argument in declared_arguments()}
    usual = specification.parameters(defaults)
    found: dict[str, list[str]] = {name: [] for name in usual}
    for argument in defaults:
        changed = specification.parameters({**defaults, argument: _OTHER})
        for name, value in changed.items():
            if value != usual[name]:
                found[name].append(argument)
    return found


def selected(arguments: Arguments) -> list[NodeSpecification]:
    """Returns the nodes that the arguments select, in start order.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: `nodes` contains an unknown node.
    """
    if arguments["nodes"] == "all":
        return list(NODES)
    wanted = {name.strip() for name in arguments["nodes"].split(",")}
    unknown = wanted.difference(node_names())
    if unknown:
        message = f"Unknown node {', '.join(sorted(unknown))}: expected some of {', '.join(node_names())}."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    return [node for node in NODES if node.name in wanted]


def _texts(settings: Mapping[str, Setting]) -> dict[str, str]:
    """Returns a map of names to values (strings): all graph arguments and explicitly set node parameters."""
    return {name: one.text for name, one in settings.items() if "." not in name or not one.is_default}


def _specification(name: str) -> NodeSpecification:
    return next(node for node in NODES if node.name == name)


def node_names() -> list[str]:
    """Returns the names of all nodes, relative to the namespace."""
    return [node.name for node in NODES]
