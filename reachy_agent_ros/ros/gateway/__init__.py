"""The graph as the web application sees it, over ROS."""
