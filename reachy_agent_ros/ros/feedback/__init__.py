"""Node `feedback`: rewards from what people say about the robot's behavior."""
