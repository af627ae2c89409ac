"""Backup of the robot's state into one file, and restoration from that file."""
