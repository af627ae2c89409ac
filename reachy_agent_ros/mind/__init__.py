"""Agents, models, reflexes and sessions."""
