"""Node `camera`: images of the robot's camera."""
