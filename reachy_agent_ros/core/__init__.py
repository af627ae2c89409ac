"""Basic types and helpers that all other packages use."""
