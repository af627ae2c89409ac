"""Turns from speech: who is meant, who has the word, and what is said aloud."""
