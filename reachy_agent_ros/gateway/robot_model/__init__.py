"""Meshes of the robot, simplified for a web page."""

MODEL = "model.glb"
"""File with the links and their surfaces. A gzip copy with the suffix ".gz" is next to it."""

JOINTS = "model.json"
"""File with the joints and their axes, which is written last."""
