"""Hostile and honest generated tools, with the expected outcome of each."""
