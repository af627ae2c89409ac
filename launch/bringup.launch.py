"""Starts the graph of `reachy_agent_ros.bringup` with `ros2 launch`. The option `--show-args` lists the arguments."""

import os
from contextlib import ExitStack
from pathlib import Path

import psutil
from launch.actions import (
    DeclareLaunchArgument,
    OpaqueFunction,
    SetEnvironmentVariable,
    TimerAction,
    UnsetEnvironmentVariable,
)
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

from launch import LaunchContext, LaunchDescription, LaunchDescriptionEntity
from reachy_agent_ros.bringup import NodeSpecification, node_parameters, resolve, selected
from reachy_agent_ros.cli.startup_checks import require_free_port, require_valid
from reachy_agent_ros.settings.arguments import declared_arguments
from reachy_agent_ros.settings.nodes import NODE_PARAMETERS
from reachy_agent_ros.settings.parameter import as_text
from reachy_agent_ros.storage.state_folder import claimed_state
from reachy_agent_ros.supervision.open_sockets import require_closed
from reachy_agent_ros.supervision.supervisor import CHECK_PERIOD
from reachy_agent_ros.supervision.transport import transport_environment

FILE = "params_file"
"""Argument with a settings file: `reachy_agent.yaml`, or a parameter file of ROS."""

_FILE_MEANING = (
    "Settings file, or a parameter file of ROS; empty: REACHY_AGENT_CONFIG, or reachy_agent.yaml in the state directory"
)


def generate_launch_description() -> LaunchDescription:
    """Declares the arguments of the graph, and starts the nodes that the arguments select."""
    given: dict[str, str] = {}
    declarations = [
        DeclareLaunchArgument(
            argument.name,
            default_value=as_text(argument.default),
            description=argument.description,
            choices=list(argument.choices) or None,
        )
        for argument in declared_arguments()
    ]
    file = DeclareLaunchArgument(FILE, default_value="", description=_FILE_MEANING)
    # Before the declarations, only the arguments that the user has given have a value: the others come from the file.
    note = OpaqueFunction(function=lambda context: given.update(_settings(context.launch_configurations)))
    return LaunchDescription([note, *declarations, file, OpaqueFunction(function=start, args=[given])])


def start(context: LaunchContext, given: dict[str, str]) -> list[LaunchDescriptionEntity]:
    """Returns the actions that start the graph.

    Args:
        context: Context of the launch.
        given: Settings from the command line, by name.
    """
    file = LaunchConfiguration(FILE).perform(context)
    arguments = resolve(given, Path(file) if file else None)
    claim = ExitStack()
    claim.enter_context(claimed_state(Path(arguments["state_directory"])))
    context.extend_globals({"state_directory_claim": claim})  # held until this process ends
    require_valid(arguments)
    require_free_port(arguments)
    os.umask(0o077)  # only this user may read the files of the nodes
    check = [] if arguments["transport"] == "network" else [_watch()]
    return [
        *_transport(arguments["transport"]),
        SetEnvironmentVariable("REACHY_AGENT_STATE", arguments["state_directory"]),
        *(_node(specification, arguments) for specification in selected(arguments)),
        *check,
    ]


def _settings(configurations: dict[str, str]) -> dict[str, str]:
    """Returns the settings that are set by launch arguments or by parameters such as `tts.volume`."""
    arguments = {argument.name for argument in declared_arguments()}
    return {
        name: value
        for name, value in configurations.items()
        if name in arguments or name.partition(".")[0] in NODE_PARAMETERS
    }


def _transport(transport: str) -> list[LaunchDescriptionEntity]:
    return [
        UnsetEnvironmentVariable(name) if value is None else SetEnvironmentVariable(name, value)
        for name, value in transport_environment(transport).items()
    ]


def _node(specification: NodeSpecification, arguments: dict[str, str]) -> Node:
    return Node(
        package="reachy_agent_ros",
        executable=specification.name,
        exec_name=specification.name,
        namespace=arguments["namespace"],
        parameters=[node_parameters(specification, arguments)],
        prefix=f"nice -n {specification.nice}" if specification.nice else None,
        respawn=True,
        respawn_delay=specification.restart_delay,
        output="screen",
        emulate_tty=True,
    )


def _watch() -> TimerAction:
    return TimerAction(period=CHECK_PERIOD, actions=[OpaqueFunction(function=_check)])


def _check(_context: LaunchContext) -> list[LaunchDescriptionEntity]:
    """Ends the launch with an error if a node is reachable from the network."""
    require_closed([child.pid for child in psutil.Process().children(recursive=True)])
    return [_watch()]
