"""What a body can do: the robot protocol, its backends and the safety gate."""
