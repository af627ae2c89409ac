"""Fuzzing of all interfaces that read external input. The command `scripts/fuzz AREA` runs one area."""
