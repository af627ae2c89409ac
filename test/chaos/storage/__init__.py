"""Killed processes, power cuts, full disks and damaged files, for each store."""
