"""The box that generated code runs in, and the proof that it holds."""
