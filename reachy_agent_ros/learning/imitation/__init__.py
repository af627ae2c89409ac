"""Imitation of demonstrated skills: course of a demonstration, policies that follow it, and their evaluation."""
