"""One sentence, from what was said to what was answered."""
