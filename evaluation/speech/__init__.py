"""Evaluation of speech recognition, voice activity, interruptions, and commands spoken in noise."""
