"""Gymnasium environments of robot tasks, with kinematic or physical simulation and a scripted expert each."""
