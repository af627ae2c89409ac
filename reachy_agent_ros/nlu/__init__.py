"""Obeys commands without any language model: by rules, and by likeness to phrases whose meaning is known."""
