"""Scripts that train the models that are shipped with the robot. The scripts are not installed."""
