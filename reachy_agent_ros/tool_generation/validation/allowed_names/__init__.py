"""Allow-lists: which modules a generated tool may import, and which of their names it may use."""
