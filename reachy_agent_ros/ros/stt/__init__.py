"""The node that listens and transcribes."""
