"""Node `agent`: conversation, permissions, memory and plans."""
