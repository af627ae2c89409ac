"""What people show: recorded as bags, read back as trajectories, replayed, exported."""
