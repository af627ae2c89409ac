"""Guardrails: independent checks of a model's input, tool calls and replies."""
