"""Imitation of demonstrated skills: demonstrated trajectories, policies that follow them, and their evaluation."""
