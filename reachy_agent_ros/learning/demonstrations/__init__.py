"""Demonstrations: recorded as bags, read as trajectories, replayed and exported."""
