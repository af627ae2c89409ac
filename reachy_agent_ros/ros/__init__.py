"""ROS 2 nodes and clients: thin adapters around the other packages."""
