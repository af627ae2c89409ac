"""Turns of a conversation: what the agents are told, the tools they are given, and what they say."""
