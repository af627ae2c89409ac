"""Prompt injection through untrusted text, and honest use of such text."""
