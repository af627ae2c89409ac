"""The robot's meshes made small enough for a web page."""

MODEL = "model.glb"
"""Its links and their surfaces; beside it lies the same compressed, with ".gz"."""

JOINTS = "model.json"
"""What turns in it, and about what; written last."""
