"""Looks whether this machine has what the robot needs, and says how to mend what it has not."""
