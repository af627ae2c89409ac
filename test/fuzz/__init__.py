"""Fuzzing of all interfaces that read external input. `scripts/fuzz AREA` runs one area."""
