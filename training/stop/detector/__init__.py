"""Candidate for the stop detector of the robot, which decides by rules until this one is better in every row."""
