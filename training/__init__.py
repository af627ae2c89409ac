"""Scripts that train the models shipped with the robot. They are not installed."""
