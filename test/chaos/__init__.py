"""Fault injection: a running system is broken, and what must hold is checked; `scripts/chaos AREA` runs one."""
