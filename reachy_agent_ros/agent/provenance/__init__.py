"""Provenance of text in a model's context, and its consequences for later tool calls."""
