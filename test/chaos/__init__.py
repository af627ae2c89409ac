"""Fault injection into a running system, with checks of its guarantees. `scripts/chaos AREA` runs one area."""
