"""Tools of the robot: specifications, the catalog, the runner and the predefined tools."""
