"""Training of the built-in detector of the simulated desk."""
