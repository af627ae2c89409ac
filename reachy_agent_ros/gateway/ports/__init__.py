"""What the web application needs of the graph; `ros/gateway` implements it over ROS."""
