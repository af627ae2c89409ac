"""The node that speaks."""
