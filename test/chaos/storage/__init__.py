"""Storage faults: killed processes, power failures, full disks, and damaged or locked files."""
