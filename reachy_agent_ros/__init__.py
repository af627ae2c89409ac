"""ROS 2 nodes that let a Reachy Mini robot hear, see, speak, move and learn."""
