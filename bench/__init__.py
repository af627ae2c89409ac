"""Benchmarks of time, memory and load; `reachy-agent bench AREA` runs one."""
