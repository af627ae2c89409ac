"""Intent recognition without a language model: by rules, and by similarity to known phrases."""
