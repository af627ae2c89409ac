"""Faults of storage: killed processes, power failures, full disks, and damaged or locked files."""
