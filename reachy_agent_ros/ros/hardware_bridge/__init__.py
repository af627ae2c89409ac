"""The node that connects to the robot and is the only one to move it."""
