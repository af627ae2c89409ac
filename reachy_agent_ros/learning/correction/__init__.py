"""Learning from corrections by people, who adjust the robot's skills during use."""
