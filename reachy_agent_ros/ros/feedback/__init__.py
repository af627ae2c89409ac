"""Node `feedback`: derives rewards from people's comments on the robot's behavior."""
