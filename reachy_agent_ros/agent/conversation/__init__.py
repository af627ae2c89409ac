"""Conversation turns: attention, prompts, tools for the agents, and replies."""
