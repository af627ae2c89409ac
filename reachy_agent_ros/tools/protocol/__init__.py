"""Descriptions of tools and their arguments, as they travel between nodes."""
