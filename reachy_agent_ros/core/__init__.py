"""Values and rules that all other packages share."""
