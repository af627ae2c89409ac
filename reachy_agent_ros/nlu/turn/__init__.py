"""End of turn by the words: whether a text is complete."""
