"""Training of the classifier of free phrases."""
