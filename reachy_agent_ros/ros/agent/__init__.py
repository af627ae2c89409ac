"""The node for conversation, permissions, memory and plans."""
