"""Background jobs, which continue while the robot talks and survive restarts."""
