"""Node `hardware_bridge`: the only connection to the robot."""
