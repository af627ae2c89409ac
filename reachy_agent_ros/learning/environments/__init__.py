"""Gymnasium environments for robot tasks, each with a scripted expert.

The simulation is kinematic or physical.
"""
