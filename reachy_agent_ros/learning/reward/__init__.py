"""Reward model, which scores a person's words as feedback on the last action."""
