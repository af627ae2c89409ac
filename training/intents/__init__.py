"""Training of the classifier of intents."""
