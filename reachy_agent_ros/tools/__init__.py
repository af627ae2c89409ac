"""Tools of the robot: specifications, catalog, runner and predefined tools."""
