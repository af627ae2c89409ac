"""What programs and people reach over HTTP. Knows nothing of ROS: the node hands it a `Graph`."""
