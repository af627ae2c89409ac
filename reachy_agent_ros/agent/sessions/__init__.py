"""Storage of conversations."""
