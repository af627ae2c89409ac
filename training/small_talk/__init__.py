"""Training of the classifier of small talk."""
