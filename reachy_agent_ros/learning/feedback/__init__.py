"""Converts feedback to stored rewards, by intake, credit assignment, implicit signals and a database."""
