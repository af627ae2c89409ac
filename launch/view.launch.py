"""Shows a running robot in rviz.

It sends no commands and is not part of the graph, so it can be closed at any time.

Start it in a shell that has joined the graph (`eval "$(reachy-agent env)"`).
"""

from pathlib import Path

from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

from launch import LaunchContext, LaunchDescription, LaunchDescriptionEntity
from reachy_agent_ros.bringup import resolve
from reachy_agent_ros.core.names import ROBOT_DESCRIPTION
from reachy_agent_ros.core.paths import configuration_file
from reachy_agent_ros.robot.urdf import robot_description

FILE = "params_file"
"""Argument with a settings file, as in `bringup.launch.py`."""


def generate_launch_description() -> LaunchDescription:
    """Declares the arguments and starts the viewers."""
    rviz = DeclareLaunchArgument("rviz", default_value="true", description="Whether to open rviz; Foxglove needs none.")
    file = DeclareLaunchArgument(FILE, default_value="", description="Settings file, which has the robot's namespace.")
    return LaunchDescription([rviz, file, OpaqueFunction(function=view)])


def view(context: LaunchContext) -> list[LaunchDescriptionEntity]:
    """Returns the nodes robot_state_publisher, which computes the pose of every link, and rviz."""
    file = LaunchConfiguration(FILE).perform(context)
    urdf = ParameterValue(robot_description(), value_type=str)  # or launch would read it as YAML
    return [
        Node(
            package="robot_state_publisher",
            executable="robot_state_publisher",
            namespace=resolve({}, Path(file) if file else None)["namespace"],
            parameters=[{"robot_description": urdf, "publish_frequency": 50.0}],
            remappings=[(ROBOT_DESCRIPTION, f"robot_state_publisher/{ROBOT_DESCRIPTION}")],
        ),
        Node(
            package="rviz2",
            executable="rviz2",
            arguments=["-d", str(configuration_file("reachy_agent.rviz"))],
            condition=IfCondition(LaunchConfiguration("rviz")),
        ),
    ]
