"""Evaluation of prompt injection through untrusted text, and of legitimate use of untrusted text."""
