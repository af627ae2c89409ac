"""Tools as the mind sees them, and the one way to them."""
