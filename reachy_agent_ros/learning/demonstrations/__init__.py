"""Demonstrations, which are recorded as bags, read as trajectories, replayed and exported."""
