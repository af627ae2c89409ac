"""Evaluation of tools that a language model writes on request."""
