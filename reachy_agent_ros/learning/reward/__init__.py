"""The reward model: what a person's words say of the last act."""
