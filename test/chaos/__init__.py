"""Fault injection: breaks a running system and checks its guarantees. `scripts/chaos AREA` runs one area."""
