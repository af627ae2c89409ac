"""Training of the classifier that reads free phrases."""
