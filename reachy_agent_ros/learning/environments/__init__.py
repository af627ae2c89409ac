"""Tasks for the robot as Gymnasium environments, moved by arithmetic or by physics, each with a scripted expert."""
