"""Starts the graph of `reachy_agent_ros.bringup` with `ros2 launch`; `--show-args` lists its arguments."""

import os

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
from reachy_agent_ros.bringup import NodeSpecification, declared_arguments, resolve, selected
from reachy_agent_ros.supervision.health import require_closed
from reachy_agent_ros.supervision.supervisor import CHECK_PERIOD
from reachy_agent_ros.supervision.transport import transport_environment


def generate_launch_description() -> LaunchDescription:
    """Declares the graph's arguments and starts what they ask for."""
    declarations = [
        DeclareLaunchArgument(
            argument.name,
            default_value=argument.default,
            description=argument.description,
            choices=list(argument.choices) or None,
        )
        for argument in declared_arguments()
    ]
    return LaunchDescription([*declarations, OpaqueFunction(function=start)])


def start(context: LaunchContext) -> list[LaunchDescriptionEntity]:
    """The graph's actions, once its arguments are known."""
    arguments = resolve({a.name: LaunchConfiguration(a.name).perform(context) for a in declared_arguments()})
    os.umask(0o077)  # only this user may read the files of the nodes
    check = [] if arguments["transport"] == "network" else [_watch()]
    return [
        *_transport(arguments["transport"]),
        SetEnvironmentVariable("REACHY_AGENT_STATE", arguments["state_directory"]),
        *(_node(specification, arguments) for specification in selected(arguments)),
        *check,
    ]


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
        parameters=[specification.parameters(arguments)],
        prefix=f"nice -n {specification.nice}" if specification.nice else None,
        respawn=True,
        respawn_delay=specification.restart_delay,
        output="screen",
        emulate_tty=True,
    )


def _watch() -> TimerAction:
    return TimerAction(period=CHECK_PERIOD, actions=[OpaqueFunction(function=_check)])


def _check(_context: LaunchContext) -> list[LaunchDescriptionEntity]:
    """Ends the launch, by the error it raises, when a stranger could reach a node."""
    require_closed([child.pid for child in psutil.Process().children(recursive=True)])
    return [_watch()]
