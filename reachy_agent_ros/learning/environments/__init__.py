"""Gymnasium environments for robot tasks, with kinematic or physical simulation and a scripted expert for each task."""
