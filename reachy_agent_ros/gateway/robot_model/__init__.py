"""The robot's meshes, simplified for a web page."""

MODEL = "model.glb"
"""Links and their surfaces. A gzip copy with the suffix ".gz" lies next to it."""

JOINTS = "model.json"
"""Joints and their axes. Written last."""
