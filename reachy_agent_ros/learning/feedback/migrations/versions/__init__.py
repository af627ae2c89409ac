"""Revisions of the feedback database, in the order of their numbers. What has been published is never edited."""
