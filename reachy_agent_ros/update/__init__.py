"""Update of a git checkout, its environment and the robot's state. Needs only the standard library; see `recovery`."""
