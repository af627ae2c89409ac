"""Scripts that train what the robot ships with. Not installed."""
