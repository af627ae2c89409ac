"""Hostile and honest generated tools, and the expected outcome of each tool."""
