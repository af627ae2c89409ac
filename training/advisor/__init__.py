"""Training of the advisor on tools."""
