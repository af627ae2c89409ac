"""Tools that are written while the robot runs: read, proven in a box, rehearsed on a twin, kept by version."""
