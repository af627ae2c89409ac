"""Detects that somebody wants the robot to stop."""
