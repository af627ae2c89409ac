"""ROS 2 adapters, one node a file."""
