"""Versioned storage of verified tools."""
