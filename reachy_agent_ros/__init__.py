"""A Reachy Mini that hears, sees, speaks, moves and learns, as ROS 2 nodes."""
