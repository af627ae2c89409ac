"""Imitation of demonstrated skills: the demonstrated trajectory, policies that follow it, and their evaluation."""
