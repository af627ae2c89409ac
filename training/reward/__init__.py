"""Training of the reward model."""
