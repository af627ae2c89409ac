"""Imitation of demonstrated skills: the demonstrated course, policies that follow it, and their evaluation."""
