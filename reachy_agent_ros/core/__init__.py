"""Values and rules every other part shares."""
