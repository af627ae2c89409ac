"""Fuzzing of everything that reads input; `scripts/fuzz AREA` runs one."""
