"""Reward model: scores a person's words as feedback on the last action."""
