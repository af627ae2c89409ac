"""Stores conversations and their history."""
