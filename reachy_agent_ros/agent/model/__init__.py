"""Access to a language model behind any OpenAI-compatible endpoint."""
