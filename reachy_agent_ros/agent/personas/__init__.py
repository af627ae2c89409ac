"""Personas of the robot: instructions, voice and tools, in one folder for each persona."""
