"""What the web application needs of the graph; `nodes/front_door` implements it over ROS."""
