"""Evaluations of how well the robot understands, sees and learns. `scripts/evaluate AREA` runs one of them."""
