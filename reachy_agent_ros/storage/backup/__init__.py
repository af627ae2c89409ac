"""Backup of the robot's state to one file, and restoration from this file."""
