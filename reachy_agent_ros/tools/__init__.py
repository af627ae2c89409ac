"""What the robot can be asked to do: specifications, the catalogue, the runner and the predefined tools."""
