"""Shows a running robot in rviz. It sends no commands and is not part of the graph, so it can be closed at any time.

Start it in a shell that has joined the graph (`eval "$(reachy-agent env)"`).
"""

from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

from launch import LaunchDescription
from reachy_agent_ros.core.names import NAMESPACE, ROBOT_DESCRIPTION
from reachy_agent_ros.core.paths import configuration_file
from reachy_agent_ros.robot.urdf import robot_description


def generate_launch_description() -> LaunchDescription:
    """Returns robot_state_publisher, which computes the pose of every link, and rviz with our configuration."""
    urdf = ParameterValue(robot_description(), value_type=str)  # or launch would read it as YAML
    return LaunchDescription(
        [
            DeclareLaunchArgument(
                "rviz", default_value="true", description="Whether to open rviz; Foxglove needs none."
            ),
            Node(
                package="robot_state_publisher",
                executable="robot_state_publisher",
                namespace=NAMESPACE,
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
    )
